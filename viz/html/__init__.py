"""The report: one self-contained HTML page. Begin with `page.build_page`."""
