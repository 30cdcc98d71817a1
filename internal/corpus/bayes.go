// Filters

package corpus

import "math"

// Localize is a histogram filter of a robot in a corridor: it moves by a step, with errors, and sees doors.
//
//surge:kernel
func Localize(doors []bool, moves []int, sees []bool, hit, miss float64) []float64 {
	n := len(doors)
	belief := make([]float64, n)
	for i := range belief {
		belief[i] = 1 / float64(n)
	}
	next := make([]float64, n)
	for t, m := range moves {
		for i := range next {
			at := func(k int) float64 { return belief[((i-k)%n+n)%n] }
			next[i] = 0.8*at(m) + 0.1*at(m-1) + 0.1*at(m+1)
		}
		if t < len(sees) {
			sum := 0.0
			for i := range next {
				p := miss
				if doors[i] == sees[t] {
					p = hit
				}
				next[i] *= p
				sum += next[i]
			}
			if sum > 0 {
				for i := range next {
					next[i] /= sum
				}
			}
		}
		belief, next = next, belief
	}
	return belief
}

// Quat is an orientation.
type Quat struct{ W, X, Y, Z float64 }

func (q Quat) mul(p Quat) Quat {
	return Quat{
		q.W*p.W - q.X*p.X - q.Y*p.Y - q.Z*p.Z,
		q.W*p.X + q.X*p.W + q.Y*p.Z - q.Z*p.Y,
		q.W*p.Y - q.X*p.Z + q.Y*p.W + q.Z*p.X,
		q.W*p.Z + q.X*p.Y - q.Y*p.X + q.Z*p.W,
	}
}

func (q *Quat) normalize() {
	n := math.Sqrt(q.W*q.W + q.X*q.X + q.Y*q.Y + q.Z*q.Z)
	if n == 0 {
		*q = Quat{W: 1}
		return
	}
	q.W /= n
	q.X /= n
	q.Y /= n
	q.Z /= n
}

// IMU is what a sensor has measured.
type IMU struct{ Gyro, Accel [3]float64 }

// Orient integrates the rates of many sensors, and pulls to the direction of gravity: pitches at the end.
//
//surge:kernel
func Orient(sensors [][]IMU, dt, gain float64) []Quat {
	out := make([]Quat, len(sensors))
	for s, log := range sensors {
		q := Quat{W: 1}
		for _, m := range log {
			dq := q.mul(Quat{0, m.Gyro[0], m.Gyro[1], m.Gyro[2]})
			q = Quat{q.W + dq.W*dt/2, q.X + dq.X*dt/2, q.Y + dq.Y*dt/2, q.Z + dq.Z*dt/2}
			a := m.Accel
			if n := math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2]); n > 0 {
				ex := a[1]/n*(1-2*(q.X*q.X+q.Y*q.Y)) - a[2]/n*2*(q.Y*q.Z+q.W*q.X)
				q.X += gain * ex
			}
			q.normalize()
		}
		out[s] = q
	}
	return out
}
