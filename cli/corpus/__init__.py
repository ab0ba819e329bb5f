"""`bufferize corpus`: thousands of programs, analysed once by content, and two such results compared."""
