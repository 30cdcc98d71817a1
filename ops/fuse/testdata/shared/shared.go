// Package shared has arrays that are copied, as values are. The comment of each kernel says how many loops behind the
// pass copy one.
package shared

// table is what tables of numbers are kept in.
type table struct {
	n     int
	count [150]int
}

func (t *table) add(x int)    { t.count[x&127]++; t.n++ }
func (t *table) at(x int) int { return t.count[x&127] }

func (t table) total() (s int) {
	for i, c := range t.count {
		s += c*i + t.n
	}
	return s
}

// Totals counts, and looks at all that was counted, which nothing changes any more.
//
// Loops: 0
//
//surge:kernel
func Totals(x []int) (int, int) {
	var t table
	for _, v := range x {
		t.add(v)
	}
	return t.total(), t.at(len(x))
}

// Changed goes through what the array was before.
//
// Loops: 1
//
//surge:kernel
func Changed(x []int) (int, int) {
	var count [150]int
	for _, v := range x {
		count[v&127]++
	}
	s := 0
	for i, c := range count {
		count[(i+1)%150] += c
		s = s*3 + c
	}
	return s, count[len(x)&127]
}

// Kept looks at what the array was when all was counted, though it changes further.
//
// Loops: 1
//
//surge:kernel
func Kept(x []int) int {
	var t table
	for _, v := range x {
		t.add(v)
	}
	old := t
	for _, v := range x {
		t.add(v + 1)
	}
	return old.total()*7 + t.total()
}

// Parts copies parts of an array of arrays.
//
// Loops: 0
//
//surge:kernel
func Parts(x []int, k int) int {
	var grid [3][150]int
	for i, v := range x {
		grid[i%3][v&127] += v
	}
	row := grid[(k%3+3)%3]
	s := 0
	for i, v := range row {
		s += i * v
	}
	return s
}
