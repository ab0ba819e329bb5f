"""The text of a program and places in it; what is said about them to the user."""
