package selector

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Setting is one parameter of a policy with its value, both as text: chunk_size_1 and 64.
type Setting struct{ Name, Value string }

// String returns name=value.
func (s Setting) String() string { return s.Name + "=" + s.Value }

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
	Policy []Setting
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
	for i, s := range v.Policy {
		if i == 0 {
			b = append(b, '/')
		} else {
			b = append(b, ',')
		}
		b = append(b, s.Name...)
		b = append(b, '=')
		b = append(b, s.Value...)
	}
	return b
}

// ID returns the first 8 hexadecimal digits, in lower case, of the SHA-256 of the canonical text.
func (v Variant) ID() string {
	sum := sha256.Sum256(v.appendTo(make([]byte, 0, 256)))
	return hex.EncodeToString(sum[:4])
}

// Get returns the value of the named setting and whether the policy has it.
func (v Variant) Get(name string) (string, bool) { return get(v.Policy, name) }

func get(policy []Setting, name string) (string, bool) {
	for i := range policy {
		if policy[i].Name == name {
			return policy[i].Value, true
		}
	}
	return "", false
}

// Int returns the value of the named setting as an integer, or otherwise when the policy does not have it or it is not
// an integer.
func (v Variant) Int(name string, otherwise int) int {
	text, ok := v.Get(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return otherwise
	}
	return n
}

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
		if err := checkWord(name, parts[i], at, i == 2); err != nil {
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
	policy, err := parseSettings(parts[4], at)
	if err != nil {
		return Variant{}, fmt.Errorf("variant %q: %w", text, err)
	}
	v.Policy = policy
	return v, nil
}

// parseSettings reads NAME=VALUE,NAME=VALUE; at is the byte at which the text starts, for messages.
func parseSettings(text string, at int) ([]Setting, error) {
	var policy []Setting
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("setting %q at byte %d: want NAME=VALUE", part, at)
		}
		if err := checkWord("setting name", name, at, false); err != nil {
			return nil, err
		}
		if err := checkWord("value of "+name, value, at+len(name)+1, false); err != nil {
			return nil, err
		}
		if _, twice := get(policy, name); twice {
			return nil, fmt.Errorf("setting %s at byte %d: it is given twice", name, at)
		}
		policy = append(policy, Setting{Name: name, Value: value})
		at += len(part) + 1
	}
	return policy, nil
}

func checkWord(what, word string, at int, schedule bool) error {
	if word == "" {
		return fmt.Errorf("%s at byte %d is empty", what, at)
	}
	for i, r := range word {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.+-", r) || schedule && r == '>' {
			continue
		}
		return fmt.Errorf("%s %q: character %q at byte %d is not a letter, a digit or one of _ . + -", what, word, r, at+i)
	}
	return nil
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

// level returns the nesting depth, from 1, that a setting belongs to, or 0 when it belongs to the whole computation:
// the digits after the last underscore.
func level(name string) int {
	i := len(name)
	for i > 0 && '0' <= name[i-1] && name[i-1] <= '9' {
		i--
	}
	if i == len(name) || i == 0 || name[i-1] != '_' {
		return 0
	}
	n := 0
	for _, c := range name[i:] {
		n = n*10 + int(c-'0')
	}
	return n
}
