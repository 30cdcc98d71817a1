// Phylogenetics

package corpus

import "math"

// JukesCantor returns distances of all pairs of aligned sequences.
//
//surge:kernel
func JukesCantor(seqs []string) [][]float64 {
	n := len(seqs)
	d := make([][]float64, n)
	for i := range d {
		d[i] = make([]float64, n)
	}
	for i := 0; i < n; i++ {
		for j := i + 1; j < n; j++ {
			same, total := 0, 0
			for k := 0; k < len(seqs[i]) && k < len(seqs[j]); k++ {
				a, b := seqs[i][k], seqs[j][k]
				if a == '-' || b == '-' {
					continue
				}
				total++
				if a == b {
					same++
				}
			}
			p := 1 - float64(same)/float64(max(total, 1))
			if p >= 0.75 {
				d[i][j] = math.Inf(1)
			} else {
				d[i][j] = -0.75 * math.Log(1-4*p/3)
			}
			d[j][i] = d[i][j]
		}
	}
	return d
}

// Join is a step of a clustering.
type Join struct {
	A, B   int
	Height float64
}

// Upgma clusters by average linkage.
//
//surge:kernel
func Upgma(dist []float64, n int) []Join {
	if n <= 0 || len(dist) != n*n {
		return nil
	}
	d := make([]float64, n*n)
	copy(d, dist)
	size := make([]int, n)
	for i := range size {
		size[i] = 1
	}
	var joins []Join
	for range n - 1 {
		a, b, best := -1, -1, math.Inf(1)
		for i := 0; i < n; i++ {
			if size[i] == 0 {
				continue
			}
			for j := i + 1; j < n; j++ {
				if size[j] > 0 && d[i*n+j] < best {
					a, b, best = i, j, d[i*n+j]
				}
			}
		}
		if a < 0 {
			break
		}
		joins = append(joins, Join{a, b, best / 2})
		for k := 0; k < n; k++ {
			if k == a || k == b || size[k] == 0 {
				continue
			}
			mean := (d[a*n+k]*float64(size[a]) + d[b*n+k]*float64(size[b])) / float64(size[a]+size[b])
			d[a*n+k], d[k*n+a] = mean, mean
		}
		size[a] += size[b]
		size[b] = 0
	}
	return joins
}
