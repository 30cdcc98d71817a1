// Puzzles and texts

package corpus

import "math"

// Sudoku solves a puzzle by depth first search; false if there is none.
//
//surge:kernel
func Sudoku(puzzles [][81]uint8) (solved [][81]uint8, ok []bool) {
	solved = make([][81]uint8, len(puzzles))
	ok = make([]bool, len(puzzles))
	for i, p := range puzzles {
		grid := p
		allowed := func(at int, d uint8) bool {
			r, c := at/9, at%9
			for k := 0; k < 9; k++ {
				if grid[r*9+k] == d || grid[k*9+c] == d || grid[(r/3*3+k/3)*9+c/3*3+k%3] == d {
					return false
				}
			}
			return true
		}
		at, tries := 0, 0
		back := false
		for at >= 0 && at < 81 && tries < 20000 {
			tries++
			if p[at] != 0 {
				if back {
					at--
				} else {
					at++
				}
				continue
			}
			d := grid[at] + 1
			grid[at] = 0
			for d <= 9 && !allowed(at, d) {
				d++
			}
			if d <= 9 {
				grid[at] = d
				at++
				back = false
			} else {
				at--
				back = true
			}
		}
		solved[i], ok[i] = grid, at == 81
	}
	return solved, ok
}

// DiffSize is how long the longest common subsequence of two files' lines is.
//
//surge:kernel
func DiffSize(a, b []string) (added, removed int) {
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			if a[i-1] == b[j-1] {
				cur[j] = prev[j-1] + 1
			} else {
				cur[j] = max(prev[j], cur[j-1])
			}
		}
		prev, cur = cur, prev
	}
	common := prev[len(b)]
	return len(b) - common, len(a) - common
}

// American prices options by trees.
//
//surge:kernel
func AmericanPuts(spots, strikes []float64, rate, vol, years float64, steps int) []float64 {
	prices := make([]float64, len(spots))
	if steps <= 0 {
		return prices
	}
	dt := years / float64(steps)
	up := math.Exp(vol * math.Sqrt(dt))
	down := 1 / up
	p := (math.Exp(rate*dt) - down) / (up - down)
	discount := math.Exp(-rate * dt)
	for i, spot := range spots {
		values := make([]float64, steps+1)
		for j := range values {
			values[j] = max(strikes[i]-spot*math.Pow(up, float64(2*j-steps)), 0)
		}
		for n := steps - 1; n >= 0; n-- {
			for j := 0; j <= n; j++ {
				hold := discount * (p*values[j+1] + (1-p)*values[j])
				exercise := strikes[i] - spot*math.Pow(up, float64(2*j-n))
				values[j] = max(hold, exercise)
			}
		}
		prices[i] = values[0]
	}
	return prices
}

// TokenKind is what a token is.
type TokenKind uint8

const (
	Ident TokenKind = iota + 1
	Num
	Op
	Str
)

// Token is a part of a source.
type Token struct {
	Kind     TokenKind
	From, To int
}

func isLetter(b byte) bool { return b == '_' || b|0x20 >= 'a' && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }

// Tokenise cuts sources into tokens.
//
//surge:kernel
func Tokenise(src string) (tokens []Token) {
	i := 0
	for i < len(src) {
		start := i
		switch c := src[i]; {
		case c == ' ' || c == '\n' || c == '\t':
			i++
			continue
		case isLetter(c):
			for i < len(src) && (isLetter(src[i]) || isDigit(src[i])) {
				i++
			}
			tokens = append(tokens, Token{Ident, start, i})
		case isDigit(c):
			for i < len(src) && (isDigit(src[i]) || src[i] == '.') {
				i++
			}
			tokens = append(tokens, Token{Num, start, i})
		case c == '"':
			i++
			for i < len(src) && src[i] != '"' {
				if src[i] == '\\' {
					i++
				}
				i++
			}
			i = min(i+1, len(src))
			tokens = append(tokens, Token{Str, start, i})
		default:
			i++
			tokens = append(tokens, Token{Op, start, i})
		}
	}
	return tokens
}

// EAN reads bar codes: widths of bars to digits; empty where the check digit is wrong.
//
//surge:kernel
func EAN(codes []string) (valid []bool, countries []int) {
	valid, countries = make([]bool, len(codes)), make([]int, len(codes))
code:
	for i, code := range codes {
		if len(code) != 13 {
			continue
		}
		sum := 0
		for j, r := range code {
			if r < '0' || r > '9' {
				continue code
			}
			d := int(r - '0')
			if j%2 == 1 {
				d *= 3
			}
			sum += d
		}
		valid[i] = sum%10 == 0
		if valid[i] {
			countries[i] = int(code[0]-'0')*100 + int(code[1]-'0')*10 + int(code[2]-'0')
		}
	}
	return valid, countries
}
