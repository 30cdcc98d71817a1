package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

type vec3 struct{ x, y, z float64 }

// NBody is the acceleration of each body by all others, with softening.
//
//surge:kernel
func NBody(x, y, z, mass []float64, eps float64) (ax, ay, az []float64) {
	acc := ops.Map3(func(xi, yi, zi float64) vec3 {
		pulls := ops.Map4(func(xj, yj, zj, m float64) vec3 {
			dx, dy, dz := xj-xi, yj-yi, zj-zi
			r2 := dx*dx + dy*dy + dz*dz + eps
			w := m / (r2 * math.Sqrt(r2))
			return vec3{w * dx, w * dy, w * dz}
		}, x, y, z, mass)
		return ops.Reduce(func(a, b vec3) vec3 { return vec3{a.x + b.x, a.y + b.y, a.z + b.z} }, pulls, vec3{})
	}, x, y, z)
	return ops.Map(func(v vec3) float64 { return v.x }, acc), ops.Map(func(v vec3) float64 { return v.y }, acc), ops.Map(func(v vec3) float64 { return v.z }, acc)
}

// LavaMD is the force on each particle by those of its box and the boxes beside it, on a line of boxes.
//
//surge:kernel
func LavaMD(pos, charge []float64, perBox int, alpha float64) []float64 {
	boxes := 0
	if perBox > 0 {
		boxes = len(pos) / perBox
	}
	return ops.Map2(func(p float64, i int) float64 {
		box := i / perBox
		force := 0.0
		for b := max(box-1, 0); b <= min(box+1, boxes-1); b++ {
			for j := b * perBox; j < (b+1)*perBox; j++ {
				d := p - pos[j]
				u := alpha * d * d
				force += charge[j] * (1 - u + 0.5*u*u) * d
			}
		}
		return force
	}, pos, ops.Range(0, len(pos), 1))
}

// LavaMDRows is another algorithm for LavaMD: the neighbours of a particle are one row, whose forces are summed.
//
//surge:variant-of LavaMD
func LavaMDRows(pos, charge []float64, perBox int, alpha float64) []float64 {
	boxes := 0
	if perBox > 0 {
		boxes = len(pos) / perBox
	}
	return ops.Map2(func(p float64, i int) float64 {
		box := i / perBox
		start, end := max(box-1, 0)*perBox, (min(box+1, boxes-1)+1)*perBox
		if end < start {
			end = start
		}
		return ops.Reduce(plus, ops.Map2(func(x, q float64) float64 {
			d := p - x
			u := alpha * d * d
			return q * (1 - u + 0.5*u*u) * d
		}, pos[start:end], charge[start:end]), 0)
	}, pos, ops.Range(0, len(pos), 1))
}

// Hotspot is one step of a heat simulation on a grid with insulated borders.
//
//surge:kernel
func Hotspot(temp, power []float64, width int, c float64) []float64 {
	rows := len(temp) / max(width, 1)
	return ops.Map(func(i int) float64 {
		r, col := i/width, i%width
		t := temp[i]
		n, s, w, e := t, t, t, t
		if r > 0 {
			n = temp[i-width]
		}
		if r+1 < rows {
			s = temp[i+width]
		}
		if col > 0 {
			w = temp[i-1]
		}
		if col+1 < width {
			e = temp[i+1]
		}
		return t + c*(n+s+w+e-4*t+power[i])
	}, ops.Range(0, len(temp), 1))
}

// SRAD is one step of speckle-reducing diffusion: image statistics, coefficients, update.
//
//surge:kernel
func SRAD(image []float64, width int, lambda float64) []float64 {
	n := len(image)
	rows := n / max(width, 1)
	add := func(a, b float64) float64 { return a + b }
	mean := ops.Reduce(add, image, 0) / float64(n)
	squares := ops.Reduce(add, ops.Map(func(v float64) float64 { return v * v }, image), 0)
	q0 := (squares/float64(n) - mean*mean) / (mean * mean)
	at := func(r, c int) float64 {
		return image[min(max(r, 0), rows-1)*width+min(max(c, 0), width-1)]
	}
	coefficient := ops.Map(func(i int) float64 {
		r, c := i/width, i%width
		v := image[i]
		dn, ds, dw, de := at(r-1, c)-v, at(r+1, c)-v, at(r, c-1)-v, at(r, c+1)-v
		g2 := (dn*dn + ds*ds + dw*dw + de*de) / (v * v)
		l := (dn + ds + dw + de) / v
		num := 0.5*g2 - l*l/16
		den := 1 + 0.25*l
		q := num / (den * den)
		return min(max(1/(1+(q-q0)/(q0*(1+q0))), 0), 1)
	}, ops.Range(0, n, 1))
	return ops.Map(func(i int) float64 {
		r, c := i/width, i%width
		v := image[i]
		cs := coefficient[min(r+1, rows-1)*width+c]
		ce := coefficient[r*width+min(c+1, width-1)]
		d := coefficient[i]*(at(r-1, c)-v+at(r, c-1)-v) + cs*(at(r+1, c)-v) + ce*(at(r, c+1)-v)
		return v + 0.25*lambda*d
	}, ops.Range(0, n, 1))
}

// MRIQ is the calibration matrix Q of non-Cartesian magnetic resonance imaging.
//
//surge:kernel
func MRIQ(kx, ky, kz, phi, x, y, z []float32) (re, im []float32) {
	type pair struct{ re, im float32 }
	q := ops.Map3(func(xi, yi, zi float32) pair {
		terms := ops.Map4(func(a, b, c, p float32) pair {
			angle := 2 * math.Pi * (a*xi + b*yi + c*zi)
			return pair{p * float32(math.Cos(float64(angle))), p * float32(math.Sin(float64(angle)))}
		}, kx, ky, kz, phi)
		return ops.Reduce(func(u, v pair) pair { return pair{u.re + v.re, u.im + v.im} }, terms, pair{})
	}, x, y, z)
	return ops.Map(func(p pair) float32 { return p.re }, q), ops.Map(func(p pair) float32 { return p.im }, q)
}

// Mandelbrot counts the iterations until a point escapes.
//
//surge:kernel
func Mandelbrot(re, im []float64, limit int32) [][]int32 {
	return ops.Map(func(ci float64) []int32 {
		return ops.Map(func(cr float64) int32 {
			x, y := 0.0, 0.0
			n := int32(0)
			for n < limit && x*x+y*y <= 4 {
				x, y = x*x-y*y+cr, 2*x*y+ci
				n++
			}
			return n
		}, re)
	}, im)
}

// ShortRange is the force on each particle of a block by the particles of its block and of the block's image behind
// it, but only by those within reach, of which each block makes a row first.
//
//surge:kernel
func ShortRange(pos, charge []float64, start []int32, shift, reach float64) []float64 {
	return ops.Map(func(i int) float64 {
		lo, hi := start[i], start[i+1]
		n := 2 * int(hi-lo)
		x, q := make([]float64, n), make([]float64, n)
		at := 0
		for image := 0; image < 2; image++ {
			by := float64(image) * shift
			for j := lo; j < hi; j++ {
				x[at], q[at] = pos[j]+by, charge[j]
				at++
			}
		}
		p := pos[i]
		return ops.Reduce(plus, ops.Map2(func(x, q float64) float64 {
			d := p - x
			r := d * d
			if r <= reach && r > 0 {
				return q / r * d
			}
			return 0
		}, x, q), 0)
	}, ops.Range(0, len(start)-1, 1))
}

// Potential is the sum of what particles within reach of a place contribute there.
//
//surge:kernel
func Potential(x []float32, at, reach float32) float32 {
	return ops.Reduce(func(a, b float32) float32 { return a + b }, ops.Map(func(x float32) float32 {
		d := (x - at) * (x - at)
		if d < reach {
			return 1 / (d + 1)
		}
		return 0
	}, x), 0)
}
