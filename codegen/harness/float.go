package harness

import (
	"encoding/json"
	"math"
	"strconv"
)

// Float is a float64 that passes through JSON exactly, NaN and infinities included (as text).
type Float float64

// MarshalJSON writes a number, or the text NaN, +Inf or -Inf.
func (f Float) MarshalJSON() ([]byte, error) {
	x := float64(f)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte(`"` + strconv.FormatFloat(x, 'g', -1, 64) + `"`), nil
	}
	return json.Marshal(x)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Float) UnmarshalJSON(text []byte) error {
	if len(text) > 1 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	x, err := strconv.ParseFloat(string(text), 64)
	*f = Float(x)
	return err
}
