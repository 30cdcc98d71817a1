// Structs

package constructs

// membrane is what moves, and how.
type membrane struct{ height, speed []float64 }

// smooth replaces the heights by those in the middle of their neighbours.
func (m *membrane) smooth() {
	next := make([]float64, len(m.height))
	for i := 1; i < len(next)-1; i++ {
		next[i] = m.height[i-1]/2 + m.height[i+1]/2 - m.speed[i]
	}
	m.height = next
}

// Membrane is how high each place is after some steps.
//
// Construct: a field that a method replaces in a loop by a slice of the same length: m.height = next
//
//surge:kernel
func Membrane(start []float64, steps uint8) []float64 {
	m := &membrane{height: make([]float64, len(start)), speed: make([]float64, len(start))}
	copy(m.speed, start)
	for range steps % 16 {
		m.smooth()
		for i := range m.speed {
			m.speed[i] -= m.height[i] / 4
		}
	}
	return m.height
}

func mirrored(x []int32) []int32 {
	y := make([]int32, len(x))
	for i, v := range x {
		y[len(x)-1-i] = 2*v + 1
	}
	return y
}

// Bounced are numbers that are mirrored and counted up by turns.
//
// Construct: a slice that a loop replaces by another one of the same length, and whose elements it assigns: x = f(x),
// x[i]++
//
//surge:kernel
func Bounced(start []int32, turns uint8) []int32 {
	x := make([]int32, len(start))
	copy(x, start)
	for k := range turns {
		x = mirrored(x)
		if int(k) < len(x) {
			x[k]++
		}
	}
	return x
}

// field is a row of cells with a border.
type field struct {
	cells []int32
	n     int
}

// border copies the outermost cells to the border.
func (f field) border() {
	f.cells[0] = f.cells[1]
	f.cells[f.n+1] = f.cells[f.n]
}

// Spreads adds the neighbours of each cell, again and again.
//
// Construct: a struct with slices that a loop replaces as a whole, and updates: now = T{next, n}
//
//surge:kernel
func Spreads(start []int32, turns uint8) []int32 {
	n := len(start)
	if n == 0 {
		return nil
	}
	now := field{make([]int32, n+2), n}
	copy(now.cells[1:], start)
	for range turns {
		next := make([]int32, n+2)
		for i := 1; i <= n; i++ {
			next[i] = now.cells[i-1] + now.cells[i] + now.cells[i+1]
		}
		now = field{next, n}
		now.border()
	}
	return now.cells
}
