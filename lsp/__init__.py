"""The language server: the commands' findings in an editor.

`document` holds one text and everything known of it, in the package's own terms; `positions` turns offsets into the
protocol's lines and UTF-16 columns; `answers` gives, for each request, what the protocol wants; `server` listens.
"""
