"""`bufferize corpus`: thousands of programs, analysed once by content, and two such results compared.

Begin with `run`, which the command in `command` and Python share.
"""
