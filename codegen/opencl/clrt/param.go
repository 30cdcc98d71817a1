package clrt

import "github.com/surge-ndp/surge/selector/param"

// Parameters that nothing but OpenCL's own code reads.
var (
	// BlockSizeY is the number of work-items of a workgroup along y.
	BlockSizeY = param.Int("block_size_y", param.Whole)
	// GrainSize is the number of elements that one resource runs one after the other.
	GrainSize = param.Int("grain_size", param.Level)
)
