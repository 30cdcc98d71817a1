package exec

// AnyMemory stands for more memory than there is: numbers of elements or bytes that are multiplied stay that where they
// would be more.
const AnyMemory = 1 << 60

// Times multiplies numbers of elements.
func Times(a, b int) int {
	if a > 0 && b > 0 && a > AnyMemory/b {
		return AnyMemory
	}
	return a * b
}
