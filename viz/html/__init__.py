"""The report: one self-contained HTML page, built by `page.build_page`."""
