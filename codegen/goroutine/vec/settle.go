package vec

// Settle does nothing, in a call: no scalar is in a floating-point register behind it.
//
//go:noinline
func Settle() {}
