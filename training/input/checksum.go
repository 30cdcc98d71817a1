package input

// Checksum is the sum over i of v[i] * (1 + (i mod 7)/8) in double precision,
// elements in row-major order, true as 1. It notices a wrong, missing or moved
// element, and two programs that sum in this order agree to the last bits.
func Checksum(v Value) float64 {
	switch data := v.Data.(type) {
	case []bool:
		numbers, _, _ := convertData(data, Uint8)
		return checksum(numbers.([]uint8))
	case []int:
		return checksum(data)
	case []int8:
		return checksum(data)
	case []int16:
		return checksum(data)
	case []int32:
		return checksum(data)
	case []int64:
		return checksum(data)
	case []uint:
		return checksum(data)
	case []uint8:
		return checksum(data)
	case []uint16:
		return checksum(data)
	case []uint32:
		return checksum(data)
	case []uint64:
		return checksum(data)
	case []float32:
		return checksum(data)
	case []float64:
		return checksum(data)
	}
	return 0
}

func checksum[T number](data []T) float64 {
	sum, weight := 0.0, 0
	for _, x := range data {
		// The conversion keeps the compiler from fusing multiply and add.
		sum += float64(float64(x) * (1 + float64(weight)/8))
		if weight++; weight == 7 {
			weight = 0
		}
	}
	return sum
}
