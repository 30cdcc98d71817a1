package selector

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// Setting is one parameter of a policy with its value, both as text: chunk_size_1 and 64.
type Setting = param.Setting

// Variant is one way to run a computation (Surge section 3.4, code variant). The fields hold text as it stands in the
// canonical form, which the package comment defines. Policy is in canonical order. A Variant is a value: nothing in
// this package changes a Policy that it was given.
type Variant struct {
	// Computation is the kernel's name, a dot and the computation's number from 1: SpMV.1. The number 0 is the choice
	// among the algorithms for the kernel; see [Algorithm].
	Computation string
	// Form is the equivalent rewriting of the computation that is run; nest is the computation as it was written.
	Form string
	// Schedule has one element a level, outermost first: independent>cooperative.
	Schedule string
	// Platform is the name of the platform: goroutine.
	Platform string
	// Policy holds the parameters that matter to this variant, and no others.
	Policy param.Policy
}

// String returns the canonical text. Parse reads it back.
func (v Variant) String() string {
	n := len(v.Computation) + len(v.Form) + len(v.Schedule) + len(v.Platform) + 3
	for _, s := range v.Policy {
		n += len(s.Name) + len(s.Value) + 2
	}
	return string(v.appendTo(make([]byte, 0, n)))
}

func (v Variant) appendTo(b []byte) []byte {
	b = append(b, v.Computation...)
	b = append(b, '/')
	b = append(b, v.Form...)
	b = append(b, '/')
	b = append(b, v.Schedule...)
	b = append(b, '/')
	b = append(b, v.Platform...)
	if len(v.Policy) == 0 {
		return b
	}
	return v.Policy.AppendTo(append(b, '/'))
}

// ID returns the first 8 hexadecimal digits, in lower case, of the SHA-256 of the canonical text.
func (v Variant) ID() string {
	sum := sha256.Sum256(v.appendTo(make([]byte, 0, 256)))
	return hex.EncodeToString(sum[:4])
}

// Get returns the value of the named setting and whether the policy has it.
func (v Variant) Get(name string) (string, bool) { return v.Policy.Get(name) }

// Equal reports whether two variants have the same canonical text.
func (v Variant) Equal(w Variant) bool {
	if v.Computation != w.Computation || v.Form != w.Form || v.Schedule != w.Schedule || v.Platform != w.Platform ||
		len(v.Policy) != len(w.Policy) {
		return false
	}
	for i, s := range v.Policy {
		if s != w.Policy[i] {
			return false
		}
	}
	return true
}

// fields are the parts of a canonical text before the settings.
var fields = [...]string{"computation", "form", "schedule", "platform"}

// Parse reads a canonical text. The error says which part is wrong, at which byte (from 1), and what was expected.
// Parse checks the grammar only; [Resolve] checks that the variant exists.
func Parse(text string) (Variant, error) {
	parts := strings.Split(text, "/")
	if len(parts) < len(fields) || len(parts) > len(fields)+1 {
		return Variant{}, fmt.Errorf("variant %q: found %d parts separated by /, want 4 or 5: "+
			"COMPUTATION/FORM/SCHEDULE/PLATFORM[/NAME=VALUE,…]", text, len(parts))
	}
	at := 1
	for i, name := range fields {
		also := ""
		if name == "schedule" {
			also = ">"
		}
		if err := param.Word(name, parts[i], at, also); err != nil {
			return Variant{}, fmt.Errorf("variant %q: %w", text, err)
		}
		at += len(parts[i]) + 1
	}
	v := Variant{Computation: parts[0], Form: parts[1], Schedule: parts[2], Platform: parts[3]}
	if err := checkComputation(v.Computation); err != nil {
		return Variant{}, fmt.Errorf("variant %q: %w", text, err)
	}
	if err := checkSchedule(v.Schedule); err != nil {
		return Variant{}, fmt.Errorf("variant %q: %w", text, err)
	}
	if len(parts) == len(fields) {
		return v, nil
	}
	policy, err := param.Parse(parts[4], at)
	if err != nil {
		return Variant{}, fmt.Errorf("variant %q: %w", text, err)
	}
	v.Policy = policy
	return v, nil
}

func checkComputation(text string) error {
	i := strings.LastIndexByte(text, '.')
	if i <= 0 {
		return fmt.Errorf("computation %q: want a kernel's name, a dot and a number, such as SpMV.1", text)
	}
	digits := text[i+1:]
	if n, err := strconv.Atoi(digits); err != nil || n < 0 || strconv.Itoa(n) != digits {
		return fmt.Errorf("computation %q: %q after the last dot is not a number", text, digits)
	}
	return nil
}

func checkSchedule(text string) error {
	for _, element := range strings.Split(text, ">") {
		switch element {
		case "independent", "cooperative", "sequential":
		default:
			if text == "none" {
				return nil
			}
			return fmt.Errorf("schedule %q: element %q is none of independent, cooperative, sequential", text, element)
		}
	}
	return nil
}
