package goroutine

import "testing"

// TestOutside checks that bounds that are constants are not compared: go vet refuses "0 < 0 || 0 < 0".
func TestOutside(t *testing.T) {
	for _, test := range [][4]string{
		{"a", "b", "n", "a < 0 || b < a || b > n"},
		{"0", "b", "n", "b < 0 || b > n"},
		{"0", "0", "n", "0 > n"},
		{"2", "1", "n", "1 < 2 || 1 > n"},
		{"0", "4", "4", "false"},
		{"-1", "4", "3", "-1 < 0 || 4 > 3"},
	} {
		if got := outside(test[0], test[1], test[2]); got != test[3] {
			t.Errorf("%v: %q", test, got)
		}
	}
}
