package rodinia

import "math"

// HotSpot is Rodinia's simulation of a chip's temperature: each step adds the power that a cell takes and what flows
// from its four neighbours and to the air. At the border a missing neighbour is the cell itself.
//
//surge:kernel
func HotSpot(temperature, power []float32, width, steps int) []float32 {
	const (
		chip         = 0.016 // metres on each side
		thickness    = 0.0005
		heat         = 1.75e6 // joules for a cubic metre and a kelvin
		conductivity = 100.0
		fraction     = 0.5 // of the chip that heats up
		mostPower    = 3e6
		precision    = 0.001
		ambient      = 80.0
	)
	rows := len(temperature) / width
	cellHeight, cellWidth := float32(chip)/float32(rows), float32(chip)/float32(width)
	capacity := fraction * heat * thickness * cellHeight * cellWidth
	rx := cellWidth / (2 * conductivity * thickness * cellHeight)
	ry := cellHeight / (2 * conductivity * thickness * cellWidth)
	rz := thickness / (conductivity * cellHeight * cellWidth)
	const slope = mostPower / (fraction * thickness * heat)
	step := precision / slope / capacity
	now := make([]float32, rows*width)
	copy(now, temperature)
	next := make([]float32, rows*width)
	for range steps {
		for y := 0; y < rows; y++ {
			for x := 0; x < width; x++ {
				t := now[y*width+x]
				north, south, west, east := t, t, t, t
				if y > 0 {
					north = now[(y-1)*width+x]
				}
				if y < rows-1 {
					south = now[(y+1)*width+x]
				}
				if x > 0 {
					west = now[y*width+x-1]
				}
				if x < width-1 {
					east = now[y*width+x+1]
				}
				next[y*width+x] = t + step*(power[y*width+x]+(south+north-2*t)/ry+(east+west-2*t)/rx+(ambient-t)/rz)
			}
		}
		now, next = next, now
	}
	return now
}

// SRAD is Rodinia's speckle reducing anisotropic diffusion of an image: each turn takes mean and variance of all
// pixels, computes a coefficient of diffusion for each pixel from its four differences, and moves it by them.
//
//surge:kernel
func SRAD(image []float32, rows, cols, turns int, lambda float32) []float32 {
	j := make([]float32, rows*cols)
	for i := range j {
		j[i] = float32(math.Exp(float64(image[i] / 255)))
	}
	dn := make([]float32, rows*cols)
	ds := make([]float32, rows*cols)
	dw := make([]float32, rows*cols)
	de := make([]float32, rows*cols)
	c := make([]float32, rows*cols)
	for range turns {
		var sum, squares float32
		for _, v := range j {
			sum += v
			squares += v * v
		}
		n := float32(rows * cols)
		mean := sum / n
		variance := squares/n - mean*mean
		q0 := variance / (mean * mean)
		for y := 0; y < rows; y++ {
			for x := 0; x < cols; x++ {
				k := y*cols + x
				v := j[k]
				dn[k] = j[max(y-1, 0)*cols+x] - v
				ds[k] = j[min(y+1, rows-1)*cols+x] - v
				dw[k] = j[y*cols+max(x-1, 0)] - v
				de[k] = j[y*cols+min(x+1, cols-1)] - v
				g2 := (dn[k]*dn[k] + ds[k]*ds[k] + dw[k]*dw[k] + de[k]*de[k]) / (v * v)
				l := (dn[k] + ds[k] + dw[k] + de[k]) / v
				num := 0.5*g2 - 1.0/16*(l*l)
				den := 1 + 0.25*l
				q := num / (den * den)
				den = (q - q0) / (q0 * (1 + q0))
				c[k] = min(max(1/(1+den), 0), 1)
			}
		}
		for y := 0; y < rows; y++ {
			for x := 0; x < cols; x++ {
				k := y*cols + x
				cs := c[min(y+1, rows-1)*cols+x]
				ce := c[y*cols+min(x+1, cols-1)]
				d := c[k]*dn[k] + cs*ds[k] + c[k]*dw[k] + ce*de[k]
				j[k] += 0.25 * lambda * d
			}
		}
	}
	for i := range j {
		j[i] = float32(math.Log(float64(j[i]))) * 255
	}
	return j
}
