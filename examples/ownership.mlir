// Ownership: the buffer allocated in one branch must be freed at the end only if that branch was taken.
func.func @pick(%c: i1, %given: memref<256xf32>, %out: memref<256xf32>) {
  cf.cond_br %c, ^keep, ^make
^keep:
  cf.br ^join(%given : memref<256xf32>)
^make:
  %made = memref.alloc() : memref<256xf32>
  memref.copy %given, %made : memref<256xf32> to memref<256xf32>
  cf.br ^join(%made : memref<256xf32>)
^join(%chosen: memref<256xf32>):
  memref.copy %chosen, %out : memref<256xf32> to memref<256xf32>
  return
}
