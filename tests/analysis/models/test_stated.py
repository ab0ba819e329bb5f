"""A model says what an operation reads, writes and aliases, or is refused."""

import pytest
from bufferize.analysis.models import ModelRegistry
from bufferize.analysis.models.base import Model


class SaysNothingOfWrites(Model):
    def reads(self, operand, context):
        return True


def test_a_model_that_leaves_something_open_is_refused():
    with pytest.raises(TypeError, match=r"the model of .mine\.op. must say writes and aliasing_values"):
        ModelRegistry().add("mine.op", SaysNothingOfWrites())
