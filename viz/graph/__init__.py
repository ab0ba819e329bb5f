"""Pictures of programs. Each module here answers one question by drawing; `bufferize graph` is their command."""
