package input

import (
	"bytes"
	"math"
	"strconv"
)

// field cuts the next token off a line: skips blanks, takes up to the next
// blank. at is the token's offset in the line.
func field(line []byte, from int) (token []byte, at, next int) {
	for from < len(line) && isBlank(line[from]) {
		from++
	}
	end := from
	for end < len(line) && !isBlank(line[end]) {
		end++
	}
	return line[from:end], from, end
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' }

// parseIndex reads an unsigned decimal; ok is false for anything else and for
// more than 18 digits, which no dimension or index has.
func parseIndex(token []byte) (n int64, ok bool) {
	if len(token) > 0 && token[0] == '+' {
		token = token[1:]
	}
	if len(token) == 0 || len(token) > 18 {
		return 0, false
	}
	for _, c := range token {
		d := c - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int64(d)
	}
	return n, true
}

// number problems; each reader adds the place.
const (
	numberFine     = ""
	numberSyntax   = "not a number"
	numberRange    = "outside the range of a float64"
	numberInfinite = "not finite"
)

// parseFloat reads a decimal number, with Fortran's D exponents, without what
// Go's syntax would add (hexadecimal, underscores), and without NaN or Inf.
func parseFloat(token []byte) (x float64, problem string) {
	// Short integers and zeros fill pattern-like files: skip the general way.
	if len(token) <= 15 {
		if n, ok := parseIndex(token); ok {
			return float64(n), numberFine
		}
	}
	for i, c := range token {
		switch {
		case c-'0' <= 9 || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E':
		case (c == 'd' || c == 'D') && i > 0:
			token = append([]byte(nil), token...)
			token[i] = 'e'
		default:
			if isInfinite(token) {
				return 0, numberInfinite
			}
			return 0, numberSyntax
		}
	}
	x, err := strconv.ParseFloat(string(token), 64)
	switch {
	case err == nil:
		return x, numberFine
	case math.IsInf(x, 0):
		return 0, numberRange
	}
	return 0, numberSyntax
}

func isInfinite(token []byte) bool {
	switch string(bytes.ToLower(bytes.TrimLeft(token, "+-"))) {
	case "nan", "inf", "infinity", "1.#inf", "1.#qnan", "1.#ind", "nanq", "nans":
		return true
	}
	return false
}

// numberError is the message for a token that parseFloat refused.
func numberError(token []byte, problem string) *Error {
	e := &Error{What: excerpt(token) + " is " + problem, Code: "bad-number",
		Why: "values are decimal numbers such as 3, -0.25 or 1.5e-3",
		Do:  "correct the line, or write the file again"}
	switch problem {
	case numberInfinite:
		e.Code = "not-finite"
		e.Why = "one NaN or infinity in the input makes every result that it reaches meaningless"
		e.Do = "replace or drop the value; a .npy file may hold it if it is meant"
	case numberRange:
		e.Code = "out-of-range"
		e.Why = "its magnitude is above 1.8e308"
		e.Do = "scale the values"
	}
	return e
}
