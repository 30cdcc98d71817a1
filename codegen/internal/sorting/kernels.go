package sorting

import "github.com/surge-ndp/surge/ops"

// Each kernel returns the positions of the sorted keys: they say whether equal keys have kept their order.

//surge:kernel
func Int(k []int) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Int8(k []int8) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Int16(k []int16) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Int32(k []int32) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Int64(k []int64) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Uint(k []uint) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Uint8(k []uint8) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Uint16(k []uint16) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Uint32(k []uint32) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Uint64(k []uint64) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Float32(k []float32) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}

//surge:kernel
func Float64(k []float64) []int {
	_, order := ops.SortByKey(k, ops.Range(0, len(k), 1))
	return order
}
