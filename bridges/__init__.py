"""Ways to and from other compilers' programs in Python."""
