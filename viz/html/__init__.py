"""The report: one self-contained page of HTML. `page.build_page` makes it from what the other modules write."""
