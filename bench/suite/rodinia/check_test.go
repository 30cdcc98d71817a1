package rodinia

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

// The checks know what a program has to compute in another way than the program does.

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestLUD(t *testing.T) {
	const n = 17
	a := dominant(n, seeded())
	lu := LUD(a, n)
	for i := range n {
		for j := range n {
			sum := 0.0
			for k := 0; k <= min(i, j); k++ {
				l := float64(lu[i*n+k])
				if k == i {
					l = 1
				}
				sum += l * float64(lu[k*n+j])
			}
			near(t, "an element of the product", sum, float64(a[i*n+j]), 1e-5)
		}
	}
}

func TestGaussian(t *testing.T) {
	args := gaussian(19, seeded())
	a, b := args[0].([][]float32), args[1].([]float32)
	x := Gaussian(a, b)
	for i, row := range a {
		sum := 0.0
		for j, v := range row {
			sum += float64(v) * float64(x[j])
		}
		near(t, "a right side", sum, float64(b[i]), 1e-5)
	}
}

// TestHotSpot checks that a chip without power that is as warm as the air stays so, and that heat spreads alike to all
// sides.
func TestHotSpot(t *testing.T) {
	const n = 9
	still := HotSpot(made(n*n, func(int) float32 { return 80 }), make([]float32, n*n), n, 10)
	for _, v := range still {
		near(t, "a temperature", float64(v), 80, 0)
	}
	power := make([]float32, n*n)
	power[n/2*n+n/2] = 1
	warm := HotSpot(made(n*n, func(int) float32 { return 80 }), power, n, 20)
	for y := range n {
		for x := range n {
			near(t, "a temperature", float64(warm[y*n+x]), float64(warm[x*n+y]), 1e-5)
			near(t, "a temperature", float64(warm[y*n+x]), float64(warm[y*n+n-1-x]), 1e-5)
		}
	}
	if warm[n/2*n+n/2] <= warm[0] {
		t.Error("where there is power it is not warmer")
	}
}

// TestSRAD checks that speckles become fewer: the variance of an image falls, and its mean of logarithms stays about
// what it is.
func TestSRAD(t *testing.T) {
	args := srad(40, 30, 20, seeded())
	before := args[0].([]float32)
	after := SRAD(before, 40, 30, 20, 0.5)
	spread := func(x []float32) (mean, variance float64) {
		for _, v := range x {
			mean += float64(v) / float64(len(x))
		}
		for _, v := range x {
			variance += (float64(v) - mean) * (float64(v) - mean) / float64(len(x))
		}
		return mean, variance
	}
	m0, v0 := spread(before)
	m1, v1 := spread(after)
	if v1 > v0/2 || math.Abs(m1-m0) > 0.2*m0 {
		t.Errorf("mean and variance go from %v, %v to %v, %v", m0, v0, m1, v1)
	}
}

func TestPathfinder(t *testing.T) {
	args := pathfinder(7, 6, seeded())
	cost, width := args[0].([]int32), args[1].(int)
	var least func(row, x int) int32
	least = func(row, x int) int32 {
		if x < 0 || x >= width {
			return math.MaxInt32
		}
		if row == 0 {
			return cost[x]
		}
		return cost[row*width+x] + min(least(row-1, x-1), least(row-1, x), least(row-1, x+1))
	}
	for x, v := range Pathfinder(cost, width) {
		if want := least(6, x); v != want {
			t.Errorf("the way to %d costs %d, want %d", x, v, want)
		}
	}
}

func TestNW(t *testing.T) {
	args := nw(6, seeded())
	similarity, n, penalty := args[0].([]int32), args[1].(int), args[2].(int32)
	var score func(i, j int) int32
	score = func(i, j int) int32 {
		if i == 0 || j == 0 {
			return -int32(i+j) * penalty
		}
		return max(score(i-1, j-1)+similarity[(i-1)*n+j-1], score(i, j-1)-penalty, score(i-1, j)-penalty)
	}
	for k, v := range NW(similarity, n, penalty) {
		if want := score(k/(n+1), k%(n+1)); v != want {
			t.Errorf("score %d is %d, want %d", k, v, want)
		}
	}
}

// TestBFS checks that the ends of each edge are at most one step apart, and that each node but the first has one before
// it that is nearer.
func TestBFS(t *testing.T) {
	args := graph(500, 2, seeded())
	first, edges := args[0].([]int32), args[1].([]int32)
	level := BFS(first, edges, 0)
	nearer := make([]bool, len(level))
	for u := range level {
		for _, v := range edges[first[u]:first[u+1]] {
			if level[u] >= 0 && (level[v] < 0 || level[v] > level[u]+1) {
				t.Errorf("an edge leads from level %d to %d", level[u], level[v])
			}
			nearer[v] = nearer[v] || level[u] >= 0 && level[u] == level[v]-1
		}
	}
	for v, l := range level {
		if l > 0 && !nearer[v] {
			t.Errorf("nothing leads to a node of level %d", l)
		}
	}
}

// TestBackprop checks that the weights move down the gradient of the squared error.
func TestBackprop(t *testing.T) {
	args := backprop(20, seeded())
	input, hidden, output := args[0].([]float32), args[1].([][]float32), args[2].([][]float32)
	zeroH, zeroO, target := args[3].([][]float32), args[4].([][]float32), args[5].([]float32)
	loss := func(hidden, output [][]float32) float64 {
		o := forward(forward(input, hidden), output)
		return 0.5 * math.Pow(float64(target[0]-o[0]), 2)
	}
	newHidden, newOutput, _, _ := Backprop(input, hidden, output, zeroH, zeroO, target)
	const h = 1e-2
	at := loss(hidden, output)
	for k := range hidden {
		moved := slices.Clone(hidden)
		moved[k] = slices.Clone(hidden[k])
		moved[k][3] += h
		gradient := (loss(moved, output) - at) / h
		near(t, "a step of a hidden weight", float64(newHidden[k][3]-hidden[k][3]), -0.3*gradient, 2e-4)
	}
	if loss(newHidden, newOutput) >= at {
		t.Error("the error does not fall")
	}
}

func TestNN(t *testing.T) {
	records := nn(50, 7, seeded())[0].([]Location)
	indices, distances := NN(records, 30, 90, 7)
	order := made(len(records), func(i int) int32 { return int32(i) })
	d := func(i int32) float64 {
		return math.Hypot(float64(records[i].Lat-30), float64(records[i].Lng-90))
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(d(a), d(b)) })
	if !slices.Equal(indices, order[:7]) {
		t.Errorf("nearest are %v, want %v", indices, order[:7])
	}
	for i, v := range distances {
		near(t, "a distance", float64(v), d(order[i]), 1e-5)
	}
}

// TestKMeans checks that centers are the means of their points.
func TestKMeans(t *testing.T) {
	args := kMeans(300, 3, 4, 50, seeded())
	points := args[0].([][]float32)
	centers, labels, _ := KMeans(points, 4, 50)
	for c, center := range centers {
		for f := range center {
			sum, n := 0.0, 0
			for i, p := range points {
				if labels[i] == int32(c) {
					sum += float64(p[f])
					n++
				}
			}
			near(t, "a center", float64(center[f]), sum/float64(n), 1e-5)
		}
	}
}

func TestLavaMD(t *testing.T) {
	args := lavaMD(4, 3, seeded())
	atoms := args[0].([]Atom)
	for i, f := range LavaMD(atoms, 4, 0.5) {
		v := 0.0
		for j, b := range atoms {
			close := true
			for _, side := range []int{1, 4, 16} {
				d := i/3/side%4 - j/3/side%4
				close = close && d*d <= 1
			}
			if close {
				a := atoms[i]
				r2 := math.Pow(float64(a.X-b.X), 2) + math.Pow(float64(a.Y-b.Y), 2) + math.Pow(float64(a.Z-b.Z), 2)
				v += float64(b.Q) * math.Exp(-0.5*r2)
			}
		}
		near(t, "a potential", float64(f.V), v, 1e-5)
	}
}

// TestCFD checks that a flow that is the same everywhere stays, where the faces of an element close it.
func TestCFD(t *testing.T) {
	far := Flow{1.4, 1.68, 0.1, -0.2, 3.5}
	faces := make([][4]Face, 5)
	for i := range faces {
		faces[i] = [4]Face{{int32((i + 1) % 5), 1, 0, 0.5}, {int32((i + 4) % 5), -1, 0, -0.5}, {farAway, 0, 2, 0}, {farAway, 0, -2, 0}}
	}
	for _, f := range CFD(made(5, func(int) Flow { return far }), faces, []float32{1, 2, 1, 2, 1}, far, 3) {
		near(t, "a density", float64(f.Density), float64(far.Density), 1e-5)
		near(t, "an energy", float64(f.Energy), float64(far.Energy), 1e-5)
	}
}

// TestMyocyte checks a cell after a hundred milliseconds against the values that programs of others arrive at, which
// have six decimals.
func TestMyocyte(t *testing.T) {
	want := []float64{
		0.001449, 0.986586, 0.991734, 7e-06, 1.000676, 0.025797, 0.015602, 0.004032, 0.319434, 0.004095, 0.994622,
		0.008512, 0.006033, 0.888841, 1e-06, 0, 3.554765, 0.775617, 0.009077, 0.118364, 0.010157, 0.000253, 0.002008,
		0.137474, 0.002209, 0.007777, 0.010123, 0.07569, 0.116068, 1.250932, 0.561123, 8.859644, 8.861067, 8.861481,
		135, 0.000184, 0.000109, 8.9e-05, -85.387505, 0.411048, 0, 0, 17483.039062, -14677.755859, -168697.84375,
		165904.859375, 386.812347, 6.002457, 0.002154, 0, 0, 0, 0.528742, 0.031627, 7e-06, 0, 0, 0.000133, 0.004391,
		0.012465, 3.600483, 0.043858, 5.5e-05, 0, 2.373584, 13.103298, 0.000272, 1.1e-05, 9e-06, 0, 0, 0, 0.000568,
		2e-06, 6e-06, 0.001374, 0.043581, 3.9e-05, 0, 4.144744, 1.134149, 1.6e-05, 8e-06, 0, 0, 0, 0, 0.00012, 0, 0,
		1e-06,
	}
	for i, v := range Myocyte(restingCell, restingParameters, 1, 13, 100, 0.0001)[0] {
		if !(math.Abs(float64(v)-want[i]) <= 1e-6+1e-3*math.Abs(want[i])) {
			t.Errorf("value %d is %v, want %v", i, v, want[i])
		}
	}
}
