module {
  func.func private @a() { call @b() : () -> () return }
  func.func private @b() { return }
  func.func private @c() { call @c() : () -> () return }
  func.func @d() { %0 = func.constant @e : () -> () 
   return }
  func.func private @e()
  func.func private @ee() attributes {x = [@b, {k = @h::@i}]}
  memref.global "private" @g : memref<4xf32>
  memref.global @g2 : memref<4xf32>
  memref.global "private" constant @g3 : memref<4xf32> = dense<1.0>
  func.func nested @n() { %0 = memref.get_global @g3 : memref<4xf32> return }
  module @h {
    func.func private @i() { return }
    func.func nested @j() { return }
    func.func @k() { call @i2() : () -> () return }
    func.func private @i2() { return }
    module { func.func @q() {return} func.func private @r() { return} func.func nested @s() { return} }
  }
  module @hh attributes {sym_visibility = "private"} {
    func.func private @i() { return }
    func.func nested @j() { return }
    func.func @k() { return }
  }
  "use"() {r = @h::@i} : () -> ()
}
// =>
module {
  func.func @d() {
    %f = constant @e : () -> ()
    return
  }
  func.func private @e()
  memref.global @g2 : memref<4xf32>
  module @h {
    func.func private @i() {
      return
    }
    func.func @k() {
      call @i2() : () -> ()
      return
    }
    func.func private @i2() {
      return
    }
    module {
      func.func @q() {
        return
      }
    }
  }
  "use"() {r = @h::@i} : () -> ()
}
// -----
/// Functions that call each other, and nobody calls them.
func.func private @even(%n: i32) { call @odd(%n) : (i32) -> () return }
func.func private @odd(%n: i32) { call @even(%n) : (i32) -> () return }
func.func @kept() { return }
// =>
module {
  func.func @kept() {
    return
  }
}
