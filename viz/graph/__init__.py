"""Pictures of programs, one module per kind; `bufferize graph` draws them.

Begin with `pictures.draw`.
"""
