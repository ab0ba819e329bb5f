"""The language server: the commands' findings in an editor.

`document` holds one text and its analysis, in the package's own terms; `answers` converts to the
protocol's requests; `session` caches the parts of a text under edit; `server` listens.
"""
