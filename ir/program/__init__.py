"""Operations, values, blocks and regions; what they answer about themselves."""
