"""What an operation is: fields, traits and one assembly format, declared once."""
