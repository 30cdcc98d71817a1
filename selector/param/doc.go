// Package param declares the parameters that policies set (Surge Table IV), and is the codec between a policy and its
// text.
//
// A parameter is declared once, as a value whose type is that of the parameter's values, and read by that value:
//
//	var VectorWidth = Int("vector_width", Level)
//	width := VectorWidth.At(v.Policy, depth)
//
// Its name stands in that line and nowhere else. What a platform knows of a parameter, its values, where it applies and
// what a person is told, is an entry of the platform's table, which package policy types by the same declaration.
//
// The declarations of this package are those that several platforms have (shared.go), and those that lowering or the
// choice without training read, which cannot import a platform, one file a platform. A parameter that only a platform's
// own code reads is declared in the folder of that platform.
//
// A policy is a list of settings, each a name and a value as text. Its text is NAME=VALUE,NAME=VALUE; a setting of a
// nesting level has the level, from 1, at the end of its name: chunk_size_1=64.
//
// What generated code leaves open is a [Launch], a setting's name with the values that it may get, which is read by the
// same declarations.
//
// User programs link this package, so it imports only the standard library.
package param
