// No destination: tensor.generate has no operand whose buffer its result could use, so it allocates.
func.func @ramp(%n: index) -> tensor<?xindex> {
  %ramp = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<?xindex>
  return %ramp : tensor<?xindex>
}
