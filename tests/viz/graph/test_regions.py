"""Pictures of nesting."""


def test_frames_nest_as_operations_do(picture_of, programs):
    frames = picture_of(programs.structured, "regions").frames
    assert list(frames) == ["scf.for loop", "body", "scf.if", "then", "else"]
    assert (
        len(frames["scf.for loop"]) > len(frames["body"]) > len(frames["scf.if"]) > len(frames["then"]) == 1
    )


def test_arrows_say_what_enters_goes_round_and_leaves(picture_of, programs):
    picture = picture_of(programs.structured, "regions")
    labels = [label for _, _, label, _ in picture.edges if label]
    assert sorted(labels) == sorted(
        [
            "entry | %acc ← %t",
            "zero iterations | %r ← %t",
            "%c = true",
            "%c = false",
            "%x ← %w",
            "%x ← %acc",
            "back edge | %acc ← %x",
            "exit | %r ← %x",
        ]
    )
    (round_again,) = [look for _, _, label, look in picture.edges if label.startswith("back edge")]
    assert round_again["style"] == "dashed"


def test_operations_without_control_flow_stay_lines(picture_of):
    text = """
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      %r = linalg.map ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) (%x: f32, %o: f32) {
        %n = arith.negf %x : f32
        linalg.yield %n : f32
      }
      return %r : tensor<4xf32>
    }
    """
    picture = picture_of(text, "regions")
    assert not picture.frames
    assert len(picture.nodes) == 1


def test_many_operations_with_regions_stay_closed_and_are_counted(picture_of):
    body = "\n".join('  scf.if %c {\n    "x.y"() : () -> ()\n  }' for _ in range(300))
    picture = picture_of(f"func.func @f(%c: i1) {{\n{body}\n  return\n}}", "regions")
    assert "276 operations with regions left closed" in picture.title
    assert sum(frame.startswith("then") for frame in picture.frames) == 24


def test_deep_nesting_does_not_exhaust_the_stack(picture_of):
    depth = 1200
    text = "func.func @f(%c: i1) {\n" + "scf.if %c {\n" * depth + "}\n" * depth + "return\n}"
    assert "left closed" in picture_of(text, "regions").title
    assert picture_of(text, "cfg").nodes
