// Section: Types
// Construct: pointers between values (lists, trees)
// Code: pointer
// Instead: Running

package refused

type node struct {
	value float64
	next  *node
}

//surge:kernel
func List(x []float64) float64 {
	var head *node
	for _, v := range x {
		head = &node{v, head}
	}
	return head.value
}
