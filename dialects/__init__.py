"""The dialects, one module or package each.

Other modules use a few operations of a large dialect, and most programs contain none of it. So a package can import its
modules when one of their names is first accessed, and all of them when the dialect is loaded (`ir.text.registry`).
"""
