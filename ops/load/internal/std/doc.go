// Package std holds, in its folders, Go texts of functions of the standard library that kernels may call: package
// load inlines them in place of those of the library. Its test compares both.
//
// Neither it nor they import anything of this module.
package std
