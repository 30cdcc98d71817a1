package param

// Parameters of the goroutine platform.
var (
	// SharedChunk is the number of elements in a chunk that is shared with the computation before, 0 for none.
	SharedChunk = Int("shared_chunk", Level)
	// GatherAlgo is how a sum of products with gathered elements runs on lanes.
	GatherAlgo = Enum("gather_algo", Level, Strip, Row)
	// VectorWidth is the number of elements in a vector of generated code.
	VectorWidth = Int("vector_width", Level)
	// Tile is the number of rows that are computed together, 1 for off.
	Tile = Int("tile", Level)
	// TileAlgo is how a register tile adds up products.
	TileAlgo = Enum("tile_algo", Level, Loop, Routine)
)

// Parameters of the platform openmp.
var (
	// Simdlen is the number of elements that the C compiler is asked to compute at once.
	Simdlen = Int("simdlen", Level)
)

// Gather is a value of [GatherAlgo].
type Gather string

// How gathered elements are multiplied: a strip at a time, or by one routine for the whole row.
const (
	Strip Gather = "strip"
	Row   Gather = "row"
)

// TileSum is a value of [TileAlgo].
type TileSum string

// How a register tile adds up products: by a printed loop, or by one routine.
const (
	Loop    TileSum = "loop"
	Routine TileSum = "routine"
)

// Lanes returns how many elements a setting has computed at once by vectors, and at which depth; 0 if it is about
// something else.
func Lanes(s Setting) (lanes, depth int) {
	for _, p := range []*Of[int]{VectorWidth, Simdlen} {
		if p.Is(s) {
			return p.Value(s), s.Depth()
		}
	}
	return 0, 0
}
