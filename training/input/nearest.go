package input

import (
	"strings"

	"github.com/surge-ndp/surge/selector"
)

// nearestHint gives "; perhaps X" or "; perhaps X or Y" for names that are a typing
// error away from name, or nothing.
func nearestHint(name string, valid []string) string {
	near := selector.Nearest(name, valid, 3)
	if len(near) == 0 {
		return ""
	}
	return "; perhaps " + strings.Join(near, " or ")
}
