// Package selector names the variants of a computation and chooses among them when a program runs.
//
// A [Variant] is one way to run a computation: a form, a schedule, a platform and a policy (Surge section 3). It has a
// canonical text and a short id, and both appear in every output, model and error message, so that anyone can ask for
// exactly that variant again:
//
//	variant     = computation "/" form "/" schedule "/" platform [ "/" setting { "," setting } ]
//	computation = kernel "." number                         SpMV.1
//	form        = name                                      nest
//	schedule    = element { ">" element }                   independent>cooperative
//	platform    = name                                      goroutine
//	setting     = name "=" value                            chunk_size_1=64
//
// A computation, form, schedule, platform, setting name or value is one or more Unicode letters, digits and the
// characters _ . + - (a schedule also has >). The id is the first 8 hexadecimal digits of the SHA-256 of the canonical
// text. Settings stand in a fixed order: those of the whole computation first, then level by level (a setting of level
// 2 ends in _2), and at each level first those of the launch and then those that change the code.
//
// A [Code] is a variant whose launch settings (threads, chunk sizes, …) are still open; generated code holds one
// function for each. A [Ranker] takes the [Feature] values of an input and the codes that exist, and gives complete
// variants, best first, with a reason. There are classifiers that were trained ([Trained]), whose machine is of one
// of the kinds [SVM], [Tree] and [Thresholds], and [Untrained], which needs no training. A [Chain] asks them in the
// order of trust. It is asked for the platform that a kernel runs on, for the algorithm and for the variant of each
// computation. [Resolve] finds the variant that a user forces.
//
// The parameters of policies, and the codec of their text, are in package param. Generated code imports this package,
// so it is small and imports only that one and the standard library; it must not import any other package of this
// module.
package selector
