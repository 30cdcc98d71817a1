// Slices

package constructs

import "slices"

// Cored returns for each place the k at which it is peeled off, as one that has at most k others left.
//
// Construct: next = next[:0], and frontier, next = next, frontier at the end: slices that grow, and change places
// Without: opencl
//
//surge:kernel
func Cored(adj [][]uint16) []int32 {
	n := len(adj)
	core := make([]int32, n)
	left := make([]int32, n)
	for v, to := range adj {
		left[v], core[v] = int32(len(to)), -1
	}
	var frontier, next []int32
	for k := int32(0); k < 12; k++ {
		frontier = frontier[:0]
		for v := range adj {
			if left[v] <= k && core[v] < 0 {
				core[v] = k
				frontier = append(frontier, int32(v))
			}
		}
		for len(frontier) > 0 {
			next = next[:0]
			for _, v := range frontier {
				for _, to := range adj[v] {
					t := int32(int(to) % n)
					if left[t]--; core[t] < 0 && left[t] <= k {
						core[t] = k
						next = append(next, t)
					}
				}
			}
			frontier, next = next, frontier
		}
	}
	return core
}

// StepSizes returns how many places are so many steps away from the first.
//
// Construct: level, next = next, level[:0], of slices that grow
// Without: opencl
//
//surge:kernel
func StepSizes(adj [][]uint16) []int {
	n := len(adj)
	sizes := make([]int, n)
	if n == 0 {
		return sizes
	}
	seen := make([]bool, n)
	level, next := []int{0}, []int{}
	seen[0] = true
	for depth := 0; len(level) > 0; depth++ {
		sizes[depth] = len(level)
		for _, v := range level {
			for _, to := range adj[v] {
				if t := int(to) % n; !seen[t] {
					seen[t] = true
					next = append(next, t)
				}
			}
		}
		level, next = next, level[:0]
	}
	return sizes
}

// Outlived returns how many rounds each place lasts, whose strength is taken from by those that are left.
//
// Construct: alive = slices.DeleteFunc(alive, …), in a loop
// Without: opencl
//
//surge:kernel
func Outlived(strength []uint8) []int32 {
	rounds := make([]int32, len(strength))
	alive := make([]int32, len(strength))
	for v := range alive {
		alive[v] = int32(v)
	}
	for len(alive) > 0 {
		for _, v := range alive {
			rounds[v]++
		}
		alive = slices.DeleteFunc(alive, func(v int32) bool { return rounds[v] > int32(strength[v]%16) })
	}
	return rounds
}

// Marched returns how far each ray goes in steps that get shorter, until they are short or it is far.
//
// Construct: kept := active[:0], and active = kept behind the loop that appends to it, in a loop
// Without: opencl
//
//surge:kernel
func Marched(first []float64, most int) ([]float64, []int32) {
	far := make([]float64, len(first))
	steps := make([]int32, len(first))
	active := make([]int32, len(first))
	for i := range active {
		active[i] = int32(i)
	}
	for step := 0; step < most%20 && len(active) > 0; step++ {
		kept := active[:0]
		for _, i := range active {
			d := first[i] / float64(step+1)
			far[i] += d
			steps[i]++
			if d < 0.5 || far[i] > 8 {
				continue
			}
			kept = append(kept, i)
		}
		active = kept
	}
	return far, steps
}

// Sieved takes every second of what is left, of each remainder by three in turn, and returns what is left in the end.
//
// Construct: s[n] = v for those that stay, and s = s[:n], in a loop
// Without: opencl
//
//surge:kernel
func Sieved(x []int32) []int32 {
	s := slices.Clone(x)
	for r := int32(0); len(s) > 3 && r < 9; r++ {
		n := 0
		for i, v := range s {
			if v%3 != r%3 || i%2 == 0 {
				s[n] = v
				n++
			}
		}
		s = s[:n]
	}
	return s
}
