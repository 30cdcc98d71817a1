package comd

// Neighbours gives the 27 cells around each cell of a periodic box, in the order of their places: near is the number of
// a neighbour, and (sx, sy, sz) is where the image that lies beside the cell is, seen from the neighbour itself.
func Neighbours(cells [3]int, box [3]float64) (near []int32, sx, sy, sz []float64) {
	for c := range cells[0] * cells[1] * cells[2] {
		place := [3]int{c / (cells[1] * cells[2]), c / cells[2] % cells[1], c % cells[2]}
		for k := range neighbours {
			at, shift := place, [3]float64{}
			for d, step := range [3]int{k/9 - 1, k/3%3 - 1, k%3 - 1} {
				switch at[d] += step; {
				case at[d] < 0:
					at[d], shift[d] = cells[d]-1, -box[d]
				case at[d] >= cells[d]:
					at[d], shift[d] = 0, box[d]
				}
			}
			near = append(near, int32((at[0]*cells[1]+at[1])*cells[2]+at[2]))
			sx, sy, sz = append(sx, shift[0]), append(sy, shift[1]), append(sz, shift[2])
		}
	}
	return near, sx, sy, sz
}
