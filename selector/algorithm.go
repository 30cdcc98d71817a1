package selector

// AlgorithmSchedule is the schedule of a variant that stands for an algorithm.
const AlgorithmSchedule = "none"

// Algorithm returns the variant that stands for running a kernel by one of the algorithms that there are for it: its
// own, or one that the package declares by surge:variant-of. It is a variant of the kernel's computation 0, whose
// form is the algorithm (a function's name); hash is that of the algorithm's computations, so that what was learned
// about an algorithm is not used for another that has its name.
func Algorithm(kernel, algorithm, platform, hash string) Variant {
	return Variant{Computation: kernel + AlgorithmNumber, Form: algorithm, Schedule: AlgorithmSchedule, Platform: platform, Policy: []Setting{{Name: "hash", Value: hash}}}
}

// AlgorithmNumber follows the kernel's name in the name of the computation that stands for the choice of the algorithm.
const AlgorithmNumber = ".0"
