"""Operations, values, blocks, regions, and their interfaces.

Begin with `core.Operation`; `builder` creates operations, `interfaces` says what other packages may ask of them.
"""
