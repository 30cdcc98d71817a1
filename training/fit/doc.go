// Package fit learns from measurements which variant of a computation suits which input (Surge section 3.4).
//
// It takes a [Table]: for each input its features and the time of every variant. It gives a selector.Classifier with
// the few variants that are worth choosing among ([Classes]), features scaled, and a machine that has learned to
// choose, in which an input counts by what choosing wrongly costs: a support vector machine with an RBF kernel for
// every pair of these variants, or a decision tree ([Rankers]). And it judges the classifier, and what it could have
// been instead, by regret ([Judgement]).
//
// Training is in train.go, which inputs a machine is trained on in condense.go, the machines in machines.go.
//
// The solver is golearn's liblinear, which is C++: a build without cgo learns trees only, where they are asked for
// ([Available]). The package imports selector and these libraries. It must not import the compiler, nor time anything.
package fit
