package accelerate

import (
	"math"
	"testing"
)

// The checks know what a program has to compute in another way than the program does.

// TestMandelbrot checks points that are known to stay inside, and to leave at once.
func TestMandelbrot(t *testing.T) {
	p := Mandelbrot(3, 1, 99, -3, 0, 3, 1) // -3, -1, 1
	if p[0] != 0 || p[1] != 99 || p[2] != 1 {
		t.Errorf("turns are %v", p)
	}
}

// TestNBody checks that what pulls is pulled: the sum of all momenta stays.
func TestNBody(t *testing.T) {
	bodies := nBody(30, 1, seeded())[0].([]Body)
	var before, after float64
	for _, b := range bodies {
		before += float64(b.Mass * b.Velocity.X)
	}
	moved := false
	for i, b := range NBody(bodies, 5, 0.001, 0.05) {
		after += float64(b.Mass * b.Velocity.X)
		moved = moved || b.Position != bodies[i].Position
	}
	if math.Abs(after-before) > 1e-4 || !moved {
		t.Errorf("the momentum goes from %v to %v", before, after)
	}
}

// TestFluid checks that what does not flow and is the same everywhere stays.
func TestFluid(t *testing.T) {
	const side = 6
	n := (side + 2) * (side + 2)
	for _, v := range Fluid(Grid{made(n, func(int) float32 { return 3 }), side}, make([]float32, n), make([]float32, n), 2, 5, 0.1, 0.01) {
		if math.Abs(float64(v-3)) > 1e-5 {
			t.Errorf("a density is %v, want 3", v)
		}
	}
}

// TestPictures checks the middle of a tunnel, which is dark, and that waves without length fill all of a crystal alike.
func TestPictures(t *testing.T) {
	if p := Tunnel(100, 100, 0.3); p[50*100+50] != [3]uint8{0, 0, 160} {
		t.Errorf("the middle of the tunnel is %v", p[50*100+50])
	}
	for _, v := range Crystal(10, 4, 0, 1) {
		if v != 0 {
			t.Errorf("a crystal without waves is %d", v)
		}
	}
}
