// Package analysis answers what passes ask about the values of the IR: which operation computes a value ([Defs]),
// which element it was read from ([Defs.Read]), whether it is the same for all elements of a level ([Defs.Uniform]),
// and how an index depends on the indices of the loops around it ([Form.Affine]).
//
// It imports ops/ir and nothing else of this module.
package analysis
