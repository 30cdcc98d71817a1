package load

import (
	"strings"
	"testing"
)

// TestScratch gives loops whose turns would read what one before left in a buffer, or that leave the buffer to others:
// there it stays where it is. In what is right, and in some other ways to set all elements, each turn has its own.
func TestScratch(t *testing.T) {
	const right = `package p

type table struct{ h, w int }

func (t *table) grow() { t.w++ }

func fill(to []int, x int) int {
	for k := range to {
		to[k] = x
	}
	return x
}

func up(to []int, x int) {
	for k := range to {
		if k > x {
			return
		}
		to[k] = k
	}
}

func part(to []int, x int) {
	if x > 0 {
		return
	}
	clear(to)
}

func sum(x []int) (s int) {
	for _, v := range x {
		s += v
	}
	return s
}

func behind(x []int) int {
	y := x[:3]
	return y[2]
}

func same(x []int) []int { return x }

func eight(to *[8]int, x int) {
	for a := range 2 {
		for b := range 4 {
			to[a*4+b] = x
		}
	}
}

func seven(to *[8]int) {
	for k := 1; k < len(to); k++ {
		to[k] = k
	}
}

func heads(to [][4]int, x int) {
	for k := range to {
		to[k][0] = x
	}
}

func address(to *[8]int) *[8]int {
	clear(to[:])
	return to
}

type room []int

func (r room) fill(x int) {
	for i := range r {
		r[i] = x
	}
}

func (r room) add(i, x int) { r[i] += x }

func (r room) first() int { return r[0] }

func (r room) all() []int { return r }

func (r *room) cut(n int) { *r = (*r)[:n] }

func K(x [][]int, n int, t table) ([]int, [][]int) {
	out, rows := make([]int, len(x)), make([][]int, len(x))
	buf := make([]int, n)
	for i, row := range x {
		out[i] = len(row)
		copy(buf, row[:n])
		for k := range n {
			buf[k] *= buf[n-1-k]
		}
		out[i] += sum(buf)
	}
	return out, rows
}
`
	const filled = "\t\tcopy(buf, row[:n])\n"
	const made = "\tbuf := make([]int, n)\n"
	for name, c := range map[string]struct {
		moved    bool
		old, new string
	}{
		"right":                                  {true, "", ""},
		"copied from a part":                     {true, filled, "\t\tcopy(buf, row[i+1:i+n+1])\n"},
		"cleared":                                {true, filled, "\t\tclear(buf[:])\n"},
		"filled":                                 {true, filled, "\t\tfor k, v := range row[i : i+n] {\n\t\t\tif v > 0 {\n\t\t\t\tbuf[k] = v\n\t\t\t} else {\n\t\t\t\tbuf[k] = 1\n\t\t\t}\n\t\t}\n"},
		"by a loop that counts":                  {true, filled, "\t\tfor k := 0; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n"},
		"by a function":                          {true, filled, "\t\tout[i] = fill(buf, i)\n"},
		"by two loops":                           {true, made + "#" + filled, "\tw := len(x)\n\tbuf := make([]int, w*n)\n#\t\tfor a := range n {\n\t\t\tat := a * w\n\t\t\tfor b := range w {\n\t\t\t\tbuf[at+b] = row[a]\n\t\t\t}\n\t\t}\n"},
		"on both ways":                           {true, filled, "\t\tif i > 1 {\n\t\t\tclear(buf)\n\t\t} else {\n\t\t\tcopy(buf, row[:n])\n\t\t}\n"},
		"of fields":                              {true, made + "#" + filled, "\tbuf := make([]int, t.w+1)\n#\t\tfor k := range t.w + 1 {\n\t\t\tbuf[k] = k\n\t\t}\n"},
		"an array":                               {true, made + "#" + filled + "#sum(buf)", "\tvar buf [8]int\n#\t\tbuf = [8]int{1}\n#sum(buf[:])"},
		"emptied":                                {true, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n", "\tvar buf []int\n#\t\tbuf = buf[:0]\n#\t\t\tbuf = append(buf, row[k])\n"},
		"named by a turn":                        {true, "sum(buf)", "sum(buf)\n\t\tb := buf[1:]\n\t\tb[0]++"},
		"beside a number":                        {true, made, "\tbuf, one := make([]int, n), 1\n\tn1 := one\n\t_ = n1\n"},
		"in a loop in a loop":                    {true, "\tfor i, row := range x {\n#\treturn out", "\tfor range n {\n\tfor i, row := range x {\n#\t}\n\treturn out"},
		"two of them":                            {true, made + "#" + filled, "\tbuf, other := make([]int, n), make([]int, n)\n#" + filled + "\t\tcopy(other, buf)\n\t\tout[i] += other[0]\n"},
		"with room":                              {true, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n", "\tbuf := make([]int, 0, n)\n#\t\tbuf = buf[:0]\n#\t\t\tbuf = append(buf, row[k])\n"},
		"the first one by itself":                {true, filled, "\t\tbuf[0] = 1\n\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n"},
		"two by themselves":                      {true, filled, "\t\tbuf[0], out[i], buf[1] = 1, 2, i\n\t\tfor k := 2; k < len(buf); k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n"},
		"up to the last":                         {true, made + "#" + filled, "\tbuf := make([]int, n+1)\n#\t\tfor k := 0; k <= n; k++ {\n\t\t\tbuf[k] = k\n\t\t}\n"},
		"one by one":                             {true, made + "#" + filled + "#sum(buf)", "\tvar buf [2]int\n#\t\tbuf[0] = i\n\t\tbuf[1] = n\n#sum(buf[:])"},
		"how many it has":                        {true, filled, "\t\tout[i] = len(buf)\n" + filled},
		"by a method":                            {true, made + "#" + filled, "\tbuf := make(room, n)\n#\t\tbuf.fill(i)\n\t\tbuf[1:].add(0, buf.first())\n"},
		"given to methods":                       {true, made + "#" + filled, "\tbuf := make(room, n)\n#\t\tclear(buf)\n\t\tbuf.add(1, 2)\n"},
		"read by a method before":                {false, made + "#" + filled, "\tbuf := make(room, n)\n#\t\tbuf.add(0, 1)\n\t\tbuf.fill(i)\n"},
		"kept by a method":                       {false, made + "#" + "sum(buf)\n", "\tbuf := make(room, n)\n#sum(buf)\n\t\trows[i] = buf.all()\n"},
		"shorter by a method":                    {false, made + "#" + filled, "\tbuf := make(room, n)\n#\t\tclear(buf)\n\t\tbuf.cut(n - 1)\n"},
		"kept as a method":                       {false, made + "#" + filled, "\tbuf := make(room, n)\n#\t\tclear(buf)\n\t\tadd := buf.add\n\t\tadd(0, 1)\n"},
		"but the first one":                      {false, filled, "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n"},
		"on one way, read on the other":          {false, filled, "\t\tif i > 1 {\n\t\t\tclear(buf)\n\t\t} else {\n\t\t\tout[i] = buf[0]\n\t\t}\n"},
		"set, read on a way behind":              {false, filled, "\t\tfor d := 0; d < i; d++ {\n\t\t\tfor k := d; k < n; k++ {\n\t\t\t\tbuf[k] = d\n\t\t\t}\n\t\t\tif d > 3 {\n\t\t\t\tclear(buf)\n\t\t\t} else {\n\t\t\t\tout[i] = buf[0]\n\t\t\t}\n\t\t}\n"},
		"the first one never":                    {true, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#buf[0]"},
		"two never":                              {true, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 2; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#buf[0]"},
		"the first row never":                    {true, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tw := len(x)\n\tbuf := make([]int, w*n)\n#\t\tfor a := 1; a < n; a++ {\n\t\t\tfor b := range w {\n\t\t\t\tbuf[a*w+b] = row[a]\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#buf[w-1]"},
		"the first one never, others again":      {true, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0\n\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] += row[k]\n\t\t}\n"},
		"the first one in turns again":           {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0\n\t\tfor k := 0; k < n; k++ {\n\t\t\tbuf[k] += row[k]\n\t\t}\n"},
		"the first one by going down":            {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0\n\t\tfor k := 1; k >= 0; k-- {\n\t\t\tbuf[k] += row[k]\n\t\t}\n"},
		"the first one by a step back":           {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0\n\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] += row[k]\n\t\t\tif k == i {\n\t\t\t\tk = -1\n\t\t\t}\n\t\t}\n"},
		"the first one never, given to a reader": {true, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#sum(buf[i:])"},
		"the first one by part of a function":    {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0\n\t\tpart(buf, i)\n"},
		"rows but the first, others again":       {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tw := len(x)\n\tbuf := make([]int, w*n)\n#\t\tfor a := 1; a < n; a++ {\n\t\t\tfor b := range w {\n\t\t\t\tbuf[a*w+b] = row[a]\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0\n\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] += row[k]\n\t\t}\n"},
		"the first turn in another way":          {true, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range n {\n\t\t\tif k == 0 {\n\t\t\t\tbuf[0] = 1\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbuf[k] = buf[k-1]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"the first turns in another way":         {true, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range n {\n\t\t\tif k < 2 {\n\t\t\t\tbuf[k] = 1\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbuf[k] = buf[k-1] + buf[k-2]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"the first turn on a way":                {true, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range n {\n\t\t\tif k > 0 {\n\t\t\t\tbuf[k] = buf[k-1]\n\t\t\t} else {\n\t\t\t\tbuf[k] = 1\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"the first turn on the other way":        {true, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range n {\n\t\t\tif k == 0 {\n\t\t\t\tbuf[k] = 1\n\t\t\t} else {\n\t\t\t\tbuf[k] = buf[k-1]\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"the first turn but too far back":        {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range n {\n\t\t\tif k == 0 {\n\t\t\t\tbuf[0] = 1\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbuf[k] = buf[k-2]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"another turn in another way":            {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range n {\n\t\t\tif k == 2 {\n\t\t\t\tbuf[2] = 1\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbuf[k] = buf[k-1]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"the first turn is left out":             {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range n {\n\t\t\tif k == 0 {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbuf[k] = buf[k-1]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"the first turn sets another one":        {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range n {\n\t\t\tif k == 0 {\n\t\t\t\tbuf[1] = 1\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbuf[k] = buf[k-1]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"the first turns set one":                {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range n {\n\t\t\tif k <= 1 {\n\t\t\t\tbuf[1] = 1\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbuf[k] = buf[k-1]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"some turns are left out":                {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range n {\n\t\t\tif k == i {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbuf[k] = k\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"neither the first nor the last":         {true, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n-1; k++ {\n\t\t\tbuf[k] = k\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"up to what a turn says":                 {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < i; k++ {\n\t\t\tbuf[k] = k\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"up to what a turn names":                {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tm := i\n\t\tfor k := range m {\n\t\t\tbuf[k] = k\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"up to the length of a row":              {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := range row {\n\t\t\tbuf[k] = k\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#0"},
		"arrays in an array":                     {true, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [2][4]int\n#\t\tfor a := range 2 {\n\t\t\tfor b := range buf[a] {\n\t\t\t\tbuf[a][b] = row[a]\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[1][k&3]\n#buf[0][3]"},
		"arrays in an array by columns":          {true, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [2][4]int\n#\t\tfor a := range 4 {\n\t\t\tfor b := range 2 {\n\t\t\t\tbuf[b][a] = row[a]\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[1][k&3]\n#buf[0][3]"},
		"arrays in arrays in an array":           {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [2][4][2]int\n#\t\tfor a := range 2 {\n\t\t\tfor b := range buf[a] {\n\t\t\t\tbuf[a][b][0] = row[a]\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[1][k&3][0]\n#buf[0][3][1]"},
		"an array as a whole":                    {true, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [2][4]int\n#\t\tfor a := range buf {\n\t\t\tbuf[a] = [4]int{i}\n\t\t}\n#\t\t\tout[i] += buf[1][k&3]\n#buf[0][3]"},
		"one element of each array":              {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [2][4]int\n#\t\theads(buf[:], i)\n#\t\t\tout[i] += buf[1][k&3]\n#buf[0][3]"},
		"by columns, with what lies before":      {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tw := len(x)\n\tbuf := make([]int, w*n)\n#\t\tfor a := range n {\n\t\t\tfor b := range w {\n\t\t\t\tif b > 0 {\n\t\t\t\t\tbuf[b*n+a] = buf[b*n+a-1]\n\t\t\t\t} else {\n\t\t\t\t\tbuf[b*n+a] = i\n\t\t\t\t}\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[k]\n#1"},
		"by rows, with what lies before":         {true, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tw := len(x)\n\tbuf := make([]int, w*n)\n#\t\tfor a := range n {\n\t\t\tfor b := range w {\n\t\t\t\tif b > 0 {\n\t\t\t\t\tbuf[a*w+b] = buf[a*w+b-1]\n\t\t\t\t} else {\n\t\t\t\t\tbuf[a*w+b] = i\n\t\t\t\t}\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[k]\n#1"},
		"what was there is read with it":         {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [2][4]int\n#\t\tfor a := range 2 {\n\t\t\tfor b, v := range buf[a] {\n\t\t\t\tbuf[a][b] = v + row[a]\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[1][k&3]\n#buf[0][3]"},
		"one array of two":                       {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [2][4]int\n#\t\tfor a := range 1 {\n\t\t\tfor b := range buf[a] {\n\t\t\t\tbuf[a][b] = row[a]\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[1][k&3]\n#buf[0][3]"},
		"a diagonal twice":                       {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [2][2]int\n#\t\tfor a := range 2 {\n\t\t\tfor b := range buf[a] {\n\t\t\t\tbuf[a][a] = row[b]\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += buf[1][k&1]\n#buf[0][1]"},
		"by its address":                         {true, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [8]int\n#\t\teight(&buf, i)\n#\t\t\tout[i] += buf[k&7]\n#buf[0]"},
		"by its address but the first one":       {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [8]int\n#\t\tseven(&buf)\n#\t\t\tout[i] += buf[k&7]\n#buf[0]"},
		"its address is kept":                    {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [8]int\n#\t\teight(&buf, i)\n\t\tp := &buf\n\t\tp[0]++\n#\t\t\tout[i] += buf[k&7]\n#buf[0]"},
		"its address comes back":                 {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf [8]int\n#\t\teight(&buf, i)\n\t\tp := address(&buf)\n\t\tp[0]++\n#\t\t\tout[i] += buf[k&7]\n#buf[0]"},
		"copied from an array":                   {true, made + "#" + filled, "\tvar eights [8]int\n\tbuf := make([]int, 8)\n#\t\tcopy(buf, eights[:])\n"},
		"copied from fewer of an array":          {false, made + "#" + filled, "\tvar eights [8]int\n\tbuf := make([]int, 8)\n#\t\tcopy(buf, eights[1:])\n"},
		"the first one but elsewhere":            {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#buf[0]\n\t\tbuf[0]++"},
		"the first one by another name":          {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#buf[0]\n\t\tb := buf[:1]\n\t\tb[0]++"},
		"the first one by a function":            {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#fill(buf, 1)"},
		"never but read too early":               {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tout[i] = buf[n-1]\n\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#buf[0]"},
		"never but sometimes none":               {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tif i > 1 {\n\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n\t\t}\n#\t\t\tout[i] += buf[n-1-k]*len(buf)\n#buf[0]"},
		"but the second one":                     {false, filled, "\t\tbuf[0] = 1\n\t\tfor k := 2; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n"},
		"the first one sometimes":                {false, filled, "\t\tif i > 1 {\n\t\t\tbuf[0] = 1\n\t\t}\n\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n"},
		"the first from the next":                {false, filled, "\t\tbuf[0] = buf[1]\n\t\tfor k := 1; k < n; k++ {\n\t\t\tbuf[k] = row[k]\n\t\t}\n"},
		"rows but the first":                     {false, made + "#" + filled, "\tw := len(x)\n\tbuf := make([]int, w*n)\n#\t\tbuf[0] = 1\n\t\tfor a := 1; a < n; a++ {\n\t\t\tfor b := range w {\n\t\t\t\tbuf[a*w+b] = row[a]\n\t\t\t}\n\t\t}\n"},
		"how many it had":                        {false, made + "#" + filled, "\tvar buf []int\n#\t\tout[i] = len(buf)\n\t\tbuf = buf[:0]\n"},
		"room by a call":                         {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n", "\tbuf := make([]int, 0, sum(out))\n#\t\tbuf = buf[:0]\n#\t\t\tbuf = append(buf, row[k])\n"},
		"room by the greater of two":             {true, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n", "\tbuf := make([]int, 0, max(n-len(x), 0))\n#\t\tbuf = buf[:0]\n#\t\t\tbuf = append(buf, row[k])\n"},
		"the lesser of two":                      {true, made + "#" + filled, "\tbuf := make([]int, min(n, len(x)))\n#\t\tfor k := range min(n, len(x)) {\n\t\t\tbuf[k] = i\n\t\t}\n"},
		"the greater in place of it":             {false, made + "#" + filled, "\tbuf := make([]int, max(n, len(x)))\n#\t\tfor k := range min(n, len(x)) {\n\t\t\tbuf[k] = i\n\t\t}\n"},
		"from the counter of a loop on":          {true, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor d := 0; d < i; d++ {\n\t\t\tfor k := d; k < n; k++ {\n\t\t\t\tbuf[k] = row[k] * d\n\t\t\t}\n\t\t\tout[i] += buf[n-1-d]\n\t\t}\n#\t\t\tout[i] += k\n#1"},
		"from 1 on in the first turn":            {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor d := 1; d < i; d++ {\n\t\t\tfor k := d; k < n; k++ {\n\t\t\t\tbuf[k] = row[k] * d\n\t\t\t}\n\t\t\tout[i] += buf[n-1-d]\n\t\t}\n#\t\t\tout[i] += k\n#1"},
		"in the first turn but not always":       {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor d := 0; d < i; d++ {\n\t\t\tif d == n {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tfor k := d; k < n; k++ {\n\t\t\t\tbuf[k] = row[k] * d\n\t\t\t}\n\t\t\tout[i] += buf[n-1-d]\n\t\t}\n#\t\t\tout[i] += k\n#1"},
		"behind a loop of no turns":              {false, filled, "\t\tfor d := 0; d < i; d++ {\n\t\t\tfor k := d; k < n; k++ {\n\t\t\t\tbuf[k] = row[k] * d\n\t\t\t}\n\t\t}\n"},
		"read before it counts":                  {false, filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\t\tfor d := 0; d < i; d++ {\n\t\t\tout[i] += buf[n-1-d]\n\t\t\tfor k := d; k < n; k++ {\n\t\t\t\tbuf[k] = row[k] * d\n\t\t\t}\n\t\t}\n#\t\t\tout[i] += k\n#1"},
		"a length by a call":                     {false, made + "#" + filled, "\tbuf := make([]int, sum(out))\n#\t\tclear(buf)\n"},
		"read beside":                            {false, filled, "\t\tfor k := range n {\n\t\t\tout[buf[k]], buf[k] = 1, k\n\t\t}\n"},
		"longer in a function":                   {false, made + "#" + filled + "#\t\t\tbuf[k] *= buf[n-1-k]\n#sum(buf)", "\tvar buf []int\n#\t\tbuf = buf[:0]\n#\t\t\tbuf = append(buf, row[k])\n#behind(buf)"},
		"read before":                            {false, filled, "\t\tout[i] = buf[0]\n" + filled},
		"copied from fewer":                      {false, filled, "\t\tcopy(buf, row[:n-1])\n"},
		"copied from who knows":                  {false, filled, "\t\tcopy(buf, row)\n"},
		"set in part":                            {false, filled, "\t\tfor k := range n - 1 {\n\t\t\tbuf[k] = 1\n\t\t}\n"},
		"set beside":                             {false, filled, "\t\tfor k := range n {\n\t\t\tbuf[n-1] = k\n\t\t}\n"},
		"read while set":                         {false, filled, "\t\tfor k := range n {\n\t\t\tbuf[k] = buf[0] + 1\n\t\t}\n"},
		"read behind what is set":                {false, filled, "\t\tfor k := range n {\n\t\t\tbuf[k] = 1\n\t\t\tout[i] += buf[n-1]\n\t\t}\n"},
		"left early":                             {false, filled, "\t\tfor k := range n {\n\t\t\tif k > i {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tbuf[k] = k\n\t\t}\n"},
		"counts by itself":                       {false, filled, "\t\tfor k := 0; k < n; k++ {\n\t\t\tbuf[k] = k\n\t\t\tk++\n\t\t}\n"},
		"sometimes":                              {false, filled, "\t\tif i > 1 {\n\t\t\tclear(buf)\n\t\t}\n"},
		"sometimes each":                         {false, filled, "\t\tfor k := range n {\n\t\t\tif k > 1 {\n\t\t\t\tbuf[k] = 1\n\t\t\t}\n\t\t}\n"},
		"in a loop of no turns":                  {false, filled, "\t\tfor range i {\n\t\t\tclear(buf)\n\t\t}\n"},
		"by part of a function":                  {false, filled, "\t\tpart(buf, i)\n"},
		"a function returns while it sets":       {false, filled, "\t\tup(buf, i)\n"},
		"negative lengths":                       {false, made + "#" + filled, "\tbuf := make([]int, t.w*n)\n#\t\tfor a := range n {\n\t\t\tfor b := range t.w {\n\t\t\t\tbuf[a*t.w+b] = row[a]\n\t\t\t}\n\t\t}\n"},
		"of another length":                      {false, made, "\tbuf := make([]int, n)\n\tn--\n"},
		"of a field that changes":                {false, made + "#" + filled, "\tbuf := make([]int, t.w)\n\tt.grow()\n#\t\tfor k := range t.w {\n\t\t\tbuf[k] = k\n\t\t}\n"},
		"a difference over time":                 {false, filled, "\t\tlo := i\n\t\ti--\n\t\tcopy(buf, row[lo:i+n])\n"},
		"kept in a row":                          {false, "sum(buf)\n", "sum(buf)\n\t\trows[i] = buf\n"},
		"kept as a part":                         {false, "sum(buf)\n", "sum(buf)\n\t\tb := buf[1:]\n\t\trows[i] = b\n"},
		"kept by a function":                     {false, "sum(buf)\n", "sum(buf)\n\t\trows[i] = same(buf)\n"},
		"kept by a literal":                      {false, "sum(buf)\n", "sum(buf)\n\t\tdefer func() { out[0] = buf[0] }()\n"},
		"kept by an address":                     {false, "sum(buf)\n", "sum(buf)\n\t\tp := &buf[0]\n\t\t*p = 1\n"},
		"used behind the loop":                   {false, "\treturn out", "\tout[0] = buf[0]\n\treturn out"},
		"its room is asked for":                  {false, made + "#" + filled, "\tvar buf []int\n#\t\tbuf = buf[:0]\n\t\tout[i] = cap(buf)\n"},
		"longer than it was":                     {false, made + "#" + filled, "\tvar buf []int\n#\t\tbuf = buf[:0]\n\t\tbuf = append(buf[:1], i)\n"},
		"nil at first":                           {false, made + "#" + filled, "\tvar buf []int\n#\t\tbuf = buf[:0]\n\t\tif buf == nil {\n\t\t\tcontinue\n\t\t}\n"},
		"turns need each other":                  {false, "sum(buf)\n", "sum(buf)\n\t\tif i > 0 {\n\t\t\tout[i] += out[i-1]\n\t\t}\n"},
		"a name is hidden":                       {false, "for i, row := range x {\n", "for i, row := range x {\n\t\tn := n\n"},
		"its name is hidden":                     {false, "\t\tout[i] += sum(buf)\n", "\t\tout[i] += sum(buf)\n\t\tbuf := i\n\t\tout[i] += buf\n"},
	} {
		t.Run(name, func(t *testing.T) {
			text := replacedText(t, right, c.old, c.new)
			if name == "a name is hidden" { // the loop sets all elements, but of which n?
				text = strings.Replace(text, "x [][]int, n int", "x [][]int, n int8", 1)
				text = strings.Replace(text, "n := n", "n := int(n)", 1)
			}
			if moved, after := rewrittenText(t, text, (*rewriter).scratches); moved != c.moved {
				t.Errorf("moved: %v\n%s", moved, after)
			}
		})
	}
}

// replacedText is a text with new parts in place of old ones, which it has. Several are parted by #.
func replacedText(t *testing.T, text, before, after string) string {
	t.Helper()
	olds, news := strings.Split(before, "#"), strings.Split(after, "#")
	for i := range olds {
		if !strings.Contains(text, olds[i]) {
			t.Fatalf("the text has no %q", olds[i])
		}
		text = strings.Replace(text, olds[i], news[i], 1)
	}
	return text
}
