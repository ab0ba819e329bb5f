"""Parser, printer, and assembly forms compiled from declarations.

Begin with `parser.parse_source` and `printer.print_module`; `registry` finds the class of an operation by its name.
"""
