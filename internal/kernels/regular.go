package kernels

// Cell has the weights of a recurrent cell: a row of each for each unit.
type Cell struct {
	In, Back [][]weight
	Bias     []float32
}

type weight float32

// Activate is what the units of a cell add up for each of a batch, in order: the rows of the weights are as long as
// those of the inputs that they are multiplied with, of In as those of x and of Back as those of h.
//
//surge:kernel
func Activate(cell *Cell, x, h [][]float32) [][]float32 {
	out := make([][]float32, len(x))
	for b := range x {
		sums := make([]float32, len(cell.Bias))
		for u := range sums {
			sum := cell.Bias[u]
			for j, w := range cell.In[u] {
				sum += float32(w) * x[b][j]
			}
			for j, w := range cell.Back[u] {
				sum += float32(w) * h[b][j]
			}
			sums[u] = sum
		}
		out[b] = sums
	}
	return out
}

// Generation is a step of the game of life on a torus that may have a ragged edge: what a row lacks is dead.
//
//surge:kernel
func Generation(cells [][]uint8) [][]uint8 {
	next := make([][]uint8, len(cells))
	for y, row := range cells {
		out := make([]uint8, len(row))
		for x := range row {
			var alive uint8
			for dy := -1; dy <= 1; dy++ {
				near := cells[(y+dy+len(cells))%len(cells)]
				for dx := -1; dx <= 1; dx++ {
					if at := (x + dx + len(row)) % len(row); at < len(near) && (dx != 0 || dy != 0) {
						alive += near[at]
					}
				}
			}
			if alive == 3 || alive == 2 && row[x] == 1 {
				out[x] = 1
			}
		}
		next[y] = out
	}
	return next
}

// Grids are two grids.
type Grids struct{ From, Add [][]float64 }

// Smear spreads what each row of the first of two grids holds, turn by turn, and adds what the second one has.
//
//surge:kernel
func Smear(grids Grids, turns int) [][]float64 {
	a, b := grids.From, grids.Add
	rows := make([][]float64, len(a))
	for y := range a {
		now, next := make([]float64, len(a[y])), make([]float64, len(a[y]))
		copy(now, a[y])
		for range turns {
			for x := range now {
				next[x] = (now[max(x-1, 0)] + now[min(x+1, len(now)-1)] + b[y][x]) / 3
			}
			now, next = next, now
		}
		rows[y] = now
	}
	return rows
}
