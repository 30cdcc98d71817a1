package vec

import "fmt"

// Instruction sets that the assembly of this package distinguishes.
const (
	levelPortable = iota // plain Go
	levelAVX2            // AVX2 and FMA
	levelAVX512          // AVX-512 F, CD, BW, DQ, VL
)

// level is the best instruction set of this CPU that the operating system supports; the assembly routines dispatch on
// it.
var level = detect()

// Native tells whether the vector types of this package are vector registers: the program was built with
// GOEXPERIMENT=simd for amd64 and the CPU has at least AVX2 and FMA. If not, the types still work, slowly, unless the
// experiment is built in and the CPU lacks AVX2: then the operations fault.
func Native() bool { return built && level >= levelAVX2 }

// Portable tells whether the vector types of this build are plain Go, which runs on every CPU.
func Portable() bool { return !built }

// Lanes returns the lane counts that this CPU runs natively for elements of the given size in bytes (4 or 8),
// ascending; empty where [Native] is false. Generated code must not use a vector type whose lane count is not among
// them.
func Lanes(elemBytes int) []int {
	if !Native() {
		return nil
	}
	return CPULanes(elemBytes)
}

// CPULanes is [Lanes] for a build with the experiment, whether this one has it or not: what the CPU offers.
func CPULanes(elemBytes int) []int {
	if level < levelAVX2 || elemBytes != 4 && elemBytes != 8 {
		return nil
	}
	var lanes []int
	if elemBytes == 4 {
		lanes = append(lanes, 4)
	}
	lanes = append(lanes, 32/elemBytes)
	if level >= levelAVX512 {
		lanes = append(lanes, 64/elemBytes)
	}
	return lanes
}

// Reason says why [Native] is false; it is empty where Native is true.
func Reason() string {
	switch {
	case !amd64:
		return fmt.Sprintf("vector types are native on amd64 only, this is %s", arch)
	case !built:
		return "built without GOEXPERIMENT=simd"
	case level < levelAVX2:
		return "this CPU lacks AVX2 or FMA"
	}
	return ""
}
