"""Operations, values, blocks, regions, and their interfaces."""
