"""Parser, printer, and assembly forms compiled from declarations."""
