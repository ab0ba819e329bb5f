"""Text in, text out: the parser, the printer, and the forms compiled from declarations."""
