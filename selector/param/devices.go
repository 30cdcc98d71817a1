package param

// Parameters of the platform opencl.
var (
	// BlockSizeX is the number of work-items of a workgroup along x.
	BlockSizeX = Int("block_size_x", Whole)
	// LogicalWarpSize is the number of neighbouring work-items that work together as a logical warp.
	LogicalWarpSize = Int("logical_warp_size", Whole)
	// BlockReduceAlgo is how work-items combine.
	BlockReduceAlgo = Enum("block_reduce_algo", Level, TreeReduce, RakingReduce, ShuffleReduce)
	// BlockScanAlgo is how work-items scan.
	BlockScanAlgo = Enum("block_scan_algo", Level, Raking, HillisSteele, Blelloch, WarpScans)
	// BlockScanGrainSize is the number of elements of a tile that one work-item scans.
	BlockScanGrainSize = Int("block_scan_grain_size", Level)
	// SortRadixBits is the number of bits of the digits that keys are sorted by.
	SortRadixBits = Int("sort_radix_bits", Level)
	// InFlight is the number of elements that a work-item has in flight, 1 for off.
	InFlight = Int("in_flight", Level)
	// LocalTile is the number of elements that each work-item reads into a tile of local memory, 0 for off.
	LocalTile = Int("local_tile", Level)
)

// BlockReduce is a value of [BlockReduceAlgo].
type BlockReduce string

// How work-items combine: in local memory with a barrier a step, by the first one alone, or by subgroup operations.
const (
	TreeReduce    BlockReduce = "tree"
	RakingReduce  BlockReduce = "raking"
	ShuffleReduce BlockReduce = "shuffle"
)

// How work-items scan: each a run of neighbours and the first one their sums, or tile by tile.
const (
	Raking       Scan = "raking"
	HillisSteele Scan = "hillis_steele"
	Blelloch     Scan = "blelloch"
	WarpScans    Scan = "warp_scans"
)
