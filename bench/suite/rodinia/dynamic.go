package rodinia

// Pathfinder is Rodinia's cheapest way through a grid, from its first row to each place of its last: each step goes
// straight on or to one of the two places beside.
//
//surge:kernel
func Pathfinder(cost []int32, width int) []int32 {
	best := make([]int32, width)
	copy(best, cost[:width])
	next := make([]int32, width)
	for row := 1; row < len(cost)/width; row++ {
		for x := 0; x < width; x++ {
			least := best[x]
			if x > 0 {
				least = min(least, best[x-1])
			}
			if x < width-1 {
				least = min(least, best[x+1])
			}
			next[x] = cost[row*width+x] + least
		}
		best, next = next, best
	}
	return best
}

// NW is the Needleman-Wunsch alignment of two sequences of n letters, as Rodinia has it: a table of (n+1)² scores, each
// from the three before it. Similarity is that of all pairs of letters, n by n.
//
//surge:kernel
func NW(similarity []int32, n int, penalty int32) []int32 {
	w := n + 1
	score := make([]int32, w*w)
	for i := 1; i <= n; i++ {
		score[i*w] = -int32(i) * penalty
		score[i] = -int32(i) * penalty
	}
	for i := 1; i <= n; i++ {
		for j := 1; j <= n; j++ {
			diagonal := score[(i-1)*w+j-1] + similarity[(i-1)*n+j-1]
			score[i*w+j] = max(diagonal, score[i*w+j-1]-penalty, score[(i-1)*w+j]-penalty)
		}
	}
	return score
}

// BFS is the number of edges from a node to each other node of a graph, -1 where no way leads. It takes Rodinia's way:
// all nodes that were reached in one step mark their neighbours for the next.
//
//surge:kernel
func BFS(first, edges []int32, source int) []int32 {
	n := len(first) - 1
	level := make([]int32, n)
	for i := range level {
		level[i] = -1
	}
	level[source] = 0
	frontier := []int32{int32(source)}
	for depth := int32(1); len(frontier) > 0; depth++ {
		var next []int32
		for _, u := range frontier {
			for _, v := range edges[first[u]:first[u+1]] {
				if level[v] < 0 {
					level[v] = depth
					next = append(next, v)
				}
			}
		}
		frontier = next
	}
	return level
}
