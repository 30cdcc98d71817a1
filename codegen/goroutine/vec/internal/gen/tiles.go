package gen

import "fmt"

// A tile is one routine for a register tile of sums of products: R rows of V vectors.
type tile struct {
	vector
	R, V int
}

// tiles lists the routines: as many accumulators as there are registers for them beside the operands.
func tiles() []tile {
	var ts []tile
	for _, v := range vectors {
		if !v.Float() || v.Width() < 256 {
			continue
		}
		for _, r := range []int{2, 4, 8} {
			for _, n := range []int{1, 2} {
				if v.Width() == 512 || r*n <= 8 {
					ts = append(ts, tile{v, r, n})
				}
			}
		}
	}
	return ts
}

// F is the name of the routine, Asm that of the assembly behind it.
func (t tile) F() string   { return fmt.Sprintf("SumTile%dx%d%s", t.R, t.V, t.Name()) }
func (t tile) Asm() string { return fmt.Sprintf("sumTile%dx%d%s", t.R, t.V, t.Name()) }

// L is the number of lanes, W the bytes of an element, Bytes those of a vector.
func (t tile) L() int     { return t.Lanes }
func (t tile) W() int     { return t.Bits / 8 }
func (t tile) Bytes() int { return t.Width() / 8 }

// S is the suffix of instructions, Shift the logarithm of W.
func (t tile) S() string  { return map[int]string{64: "D", 32: "S"}[t.Bits] }
func (t tile) Shift() int { return map[int]int{64: 3, 32: 2}[t.Bits] }

// Accumulators is how many vectors are summed.
func (t tile) Accumulators() int { return t.R * t.V }

// Sets is how many sums of each vector there are, of every so many products: a processor begins two multiply-adds a
// cycle, and four cycles pass until the next one may use the result.
func (t tile) Sets() int {
	if t.Accumulators() <= 4 {
		return 2
	}
	return 1
}

// Z is the letter of the registers; the last ones hold the operands: B those of a row of b, A an element of a.
func (t tile) Z() string      { return map[int]string{256: "Y", 512: "Z"}[t.Width()] }
func (t tile) B(v int) string { return fmt.Sprintf("%s%d", t.Z(), t.last()-v) }
func (t tile) A() string      { return fmt.Sprintf("%s%d", t.Z(), t.last()-t.V) }
func (t tile) last() int      { return map[int]int{256: 15, 512: 31}[t.Width()] }
func (t tile) Pointers() []string {
	return []string{"AX", "CX", "DX", "SI", "DI", "R8", "R9", "R10"}[:t.R]
}
