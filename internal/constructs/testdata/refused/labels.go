// Section: Control flow
// Construct: break and continue with a label
// Code: jump
// Instead: HasZero

package refused

//surge:kernel
func Labels(rows [][]int8) bool {
	found := false
outer:
	for _, row := range rows {
		for _, v := range row {
			if v == 0 {
				found = true
				break outer
			}
		}
	}
	return found
}
