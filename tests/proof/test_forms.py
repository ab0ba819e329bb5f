"""Normal forms of random terms are as recorded in `forms.txt`."""

import pytest

from .forms import FORMS, PARTS, forms


@pytest.mark.parametrize("part", PARTS)
def test_forms(part):
    assert forms(part) == FORMS[part]
