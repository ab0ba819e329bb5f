"""Pictures of lifetimes."""

import pytest
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.text.parser import parse_text
from bufferize.viz.graph.liveness import lifetimes


def life(text: str, name: str) -> dict[int, str]:
    """What happens to a buffer, by line of the source."""
    module = parse_text(text, allow_unregistered=True)
    function = module.regions[0].entry.first_op
    assert function is not None
    lived = lifetimes(function)
    (buffer,) = [b for b in lived.buffers if b.value.name_hint == name]
    found: dict[int, str] = {}
    for line, what in buffer.lines.items():
        span = lived.lines[line][0].name_span
        if span is not None and lived.lines[line][0].name != "scf.yield":
            found[span.line] = what
    return dict(sorted(found.items()))


def test_alive_from_allocation_to_free(programs):
    assert life(programs.buffers, "t") == {6: "made", 7: "used", 8: "", 9: "freed"}


def test_a_buffer_used_in_a_loop_is_alive_in_all_of_it(programs):
    assert life(programs.buffers, "a") == {4: "made", 5: "", 6: "", 7: "", 8: "used", 9: "", 11: "freed"}


def test_a_buffer_that_is_not_freed_lives_until_its_last_use(programs):
    assert life(programs.buffers, "d") == {12: "made", 13: "used"}


def test_views_and_branches_keep_a_buffer_alive():
    text = """func.func @f(%c: i1, %n: index) {
      %a = memref.alloc() : memref<8xf32>
      cf.cond_br %c, ^one, ^two
    ^one:
      cf.br ^end(%a : memref<8xf32>)
    ^two:
      "x.y"() : () -> ()
      return
    ^end(%b: memref<8xf32>):
      %v = memref.subview %b[0][4][1] : memref<8xf32> to memref<4xf32, strided<[1]>>
      "x.use"(%v) : (memref<4xf32, strided<[1]>>) -> ()
      return
    }"""
    assert life(text, "a") == {2: "made", 3: "", 5: "used", 10: "used", 11: "used"}


def test_the_line_of_most_memory_is_marked(picture_of, programs):
    (table,) = picture_of(programs.buffers, "liveness").nodes.values()
    assert "192 bytes peak" in table.replace("  ", " ")
    assert "1 of dynamic size" in table


def test_what_is_never_freed_is_said(picture_of, programs):
    assert picture_of(programs.buffers, "liveness").title.endswith("freed nowhere in the function: %d")


def test_lines_without_buffers_are_folded(picture_of):
    filler = "\n".join(f"  %c{i} = arith.constant {i} : index" for i in range(300))
    text = f"func.func @f() {{\n{filler}\n  %a = memref.alloc() : memref<4xi8>\n  memref.dealloc %a : memref<4xi8>\n  return\n}}"
    (table,) = picture_of(text, "liveness").nodes.values()
    assert "300 lines folded" in table


def test_tensors_have_to_be_bufferized_first(picture_of, programs):
    with pytest.raises(BufferizeError) as failure:
        picture_of(programs.read_after_write, "liveness")
    assert "--after 'one-shot-bufferize" in failure.value.diagnostic.notes[0].text
