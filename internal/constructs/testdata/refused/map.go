// Section: Types
// Construct: maps
// Code: map
// Instead: Commonest

package refused

//surge:kernel
func Map(x []int32) int {
	seen := map[int32]bool{}
	for _, v := range x {
		seen[v] = true
	}
	return len(seen)
}
