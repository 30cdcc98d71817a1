package param

import (
	"fmt"
	"strings"
	"unicode"
)

// Setting is a parameter with its value, both as text: chunk_size_1 and 64.
type Setting struct{ Name, Value string }

// String returns name=value.
func (s Setting) String() string { return s.Name + "=" + s.Value }

// Depth returns the nesting level, from 1, that a setting belongs to, or 0 when it belongs to the whole computation:
// the digits after the last underscore of its name.
func (s Setting) Depth() int {
	i := len(s.Name)
	for i > 0 && '0' <= s.Name[i-1] && s.Name[i-1] <= '9' {
		i--
	}
	if i == len(s.Name) || i == 0 || s.Name[i-1] != '_' {
		return 0
	}
	n := 0
	for _, c := range s.Name[i:] {
		n = n*10 + int(c-'0')
	}
	return n
}

// Policy is the values of parameters, those that matter and no others, in canonical order: those of the whole
// computation first, then level by level.
type Policy []Setting

// String returns the text: NAME=VALUE,NAME=VALUE. [Parse] reads it back.
func (p Policy) String() string { return string(p.AppendTo(nil)) }

// AppendTo appends the text to b.
func (p Policy) AppendTo(b []byte) []byte {
	for i, s := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, s.Name...)
		b = append(b, '=')
		b = append(b, s.Value...)
	}
	return b
}

// Get returns the value of the setting with that name, and whether the policy has it. It is for what handles all
// settings alike, as lists and searches do; code that knows a parameter reads it by its declaration.
func (p Policy) Get(name string) (string, bool) {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value, true
		}
	}
	return "", false
}

// Parse reads the text of a policy, which starts at byte at (from 1) of what messages speak of.
func Parse(text string, at int) (Policy, error) {
	var policy Policy
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("setting %q at byte %d: want NAME=VALUE", part, at)
		}
		if err := Word("setting name", name, at, ""); err != nil {
			return nil, err
		}
		if err := Word("value of "+name, value, at+len(name)+1, ""); err != nil {
			return nil, err
		}
		if _, twice := policy.Get(name); twice {
			return nil, fmt.Errorf("setting %s at byte %d: it is given twice", name, at)
		}
		policy = append(policy, Setting{Name: name, Value: value})
		at += len(part) + 1
	}
	return policy, nil
}

// Word reports what keeps a text from being a word of a variant: letters, digits and _ . + -, and the characters of
// also. What it is and the byte at which it starts stand in the message.
func Word(what, word string, at int, also string) error {
	if word == "" {
		return fmt.Errorf("%s at byte %d is empty", what, at)
	}
	for i, r := range word {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.+-", r) || strings.ContainsRune(also, r) {
			continue
		}
		return fmt.Errorf("%s %q: character %q at byte %d is not a letter, a digit or one of _ . + -", what, word, r, at+i)
	}
	return nil
}
