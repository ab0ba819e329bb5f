"""Pictures of conflicts."""


def test_a_conflict_is_a_write_a_read_and_a_definition(picture_of, programs):
    picture = picture_of(programs.read_after_write, "conflicts")
    assert picture.title == "Why a copy is needed in @read_after_write"
    assert list(picture.frames) == ["copy 1: %t for tensor.insert (line 3)"]
    definition, copy, write, read = (
        "gives %t its contents",
        "copy of %t",
        "writes to the buffer",
        "still needs",
    )
    assert picture.edges_between(definition, copy)
    assert [label for label, _ in picture.edges_between(copy, write)] == ["works on the copy"]
    assert [label for label, _ in picture.edges_between(write, read)] == ["would overwrite what it reads"]
    assert [label for label, _ in picture.edges_between(definition, read)] == ["contents of %t"]


def test_reads_of_the_next_iteration_name_the_loop(picture_of):
    text = """
    func.func @f(%v: f32, %lb: index, %ub: index, %st: index, %a: tensor<16xf32>) -> f32 {
      %r = scf.for %i = %lb to %ub step %st iter_args(%s = %v) -> (f32) {
        %q = tensor.extract %a[%i] : tensor<16xf32>
        %b = tensor.insert %s into %a[%i] : tensor<16xf32>
        %w = tensor.extract %b[%i] : tensor<16xf32>
        scf.yield %w : f32
      }
      return %r : f32
    }
    """
    labels = [label for _, _, label, _ in picture_of(text, "conflicts").edges]
    assert any("in the next round of scf.for (line 3)" in label for label in labels)


def test_read_only_memory_is_given_as_the_reason(picture_of):
    text = """
    func.func @f(%t: tensor<4xf32> {bufferization.writable = false}, %v: f32, %i: index) -> tensor<4xf32> {
      %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    """
    labels = [label for _, _, label, _ in picture_of(text, "conflicts").edges]
    assert any("bufferization.writable = false" in label for label in labels)


def test_without_copies_the_picture_says_so(picture_of, programs):
    picture = picture_of(programs.structured, "conflicts")
    assert picture.title == "No copy is needed in @structured"


def test_many_copies_are_counted(picture_of):
    copies = "\n".join(f"  %x{i} = tensor.insert %v into %t[%i] : tensor<4xf32>" for i in range(40))
    returned = ", ".join(f"%x{i}" for i in range(40))
    types = ", ".join(["tensor<4xf32>"] * 40)
    text = f"func.func @f(%t: tensor<4xf32>, %v: f32, %i: index) -> ({types}) {{\n{copies}\n return {returned} : {types}\n}}"
    picture = picture_of(text, "conflicts")
    assert "12 of 39 copies drawn" in picture.title or "12 of 40 copies drawn" in picture.title
    assert len(picture.frames) == 12


def test_what_can_be_drawn_of_a_program_that_cannot_be_bufferized_is_drawn(picture_of):
    text = """
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
      %r:2 = scf.for %i = %n to %n step %n iter_args(%u = %a, %v = %b) -> (tensor<4xf32>, tensor<4xf32>) {
        scf.yield %v, %u : tensor<4xf32>, tensor<4xf32>
      }
      return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
    }
    """
    picture = picture_of(text, "conflicts")
    assert "cannot be bufferized" in picture.title
    assert list(picture.frames) == ["copy 1: %v for scf.yield (line 4)", "copy 2: %u for scf.yield (line 4)"]


def test_copies_without_a_conflict_say_what_forces_them(picture_of):
    text = """
    func.func @f(%a: tensor<4xf32>, %b: tensor<2xf32>) -> tensor<6xf32> {
      %c = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
      return %c : tensor<6xf32>
    }
    """
    picture = picture_of(text, "conflicts")
    assert picture.title == "Why 2 copies are needed in @f"
    assert list(picture.frames) == [
        "copy 1: %a for tensor.concat (line 3)",
        "copy 2: %b for tensor.concat (line 3)",
    ]
    assert picture.edges_between(
        "copy of %a | the inputs are copied",
        "%c = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32> | gets %a as a copy",
    )
