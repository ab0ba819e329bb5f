"""Operation declarations: fields, traits and one assembly format."""
