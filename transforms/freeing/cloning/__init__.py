"""The older buffer deallocation: ownership made static by copies, so that every buffer is freed in one known place."""
