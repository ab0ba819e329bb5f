"""placeholder"""
def remarks_on_differences(result):
    return []
