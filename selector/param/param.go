package param

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Scope says what a parameter belongs to.
type Scope int

const (
	// Whole parameters belong to the whole computation. The depth of their settings is 0.
	Whole Scope = iota
	// Level parameters belong to a nesting level, and each level has a setting of its own.
	Level
)

// Key is a parameter without the type of its values.
type Key struct {
	name  string
	scope Scope
}

func newKey(name string, scope Scope) Key {
	if s := (Setting{Name: name}); name == "" || s.Depth() != 0 || Word("the name of a parameter", name, 1, "") != nil {
		panic(fmt.Sprintf("param: a parameter cannot have the name %q", name))
	}
	return Key{name, scope}
}

// Name is the name without a level: chunk_size.
func (k *Key) Name() string { return k.name }

// Scope says what the parameter belongs to.
func (k *Key) Scope() Scope { return k.scope }

// SettingName is the name that the parameter has in settings of a depth: chunk_size_1. That of a parameter of the whole
// computation is its name.
func (k *Key) SettingName(depth int) string {
	if k.scope == Whole {
		return k.name
	}
	return k.name + "_" + strconv.Itoa(depth)
}

// Is reports whether s sets the parameter, at whatever depth.
func (k *Key) Is(s Setting) bool {
	rest, ok := strings.CutPrefix(s.Name, k.name)
	if !ok || k.scope == Whole {
		return ok && rest == ""
	}
	if len(rest) < 2 || rest[0] != '_' {
		return false
	}
	for i := 1; i < len(rest); i++ { // asked for each setting of each point of a search space
		if rest[i] < '0' || rest[i] > '9' {
			return false
		}
	}
	return true
}

// Text returns the text of the value at a depth, and whether the policy has one.
func (k *Key) Text(p Policy, depth int) (string, bool) {
	for i := range p {
		if k.Is(p[i]) && (k.scope == Whole || p[i].Depth() == depth) {
			return p[i].Value, true
		}
	}
	return "", false
}

// In reports whether the policy has a value for the parameter at a depth.
func (k *Key) In(p Policy, depth int) bool {
	_, ok := k.Text(p, depth)
	return ok
}

// Anywhere reports whether the policy has a value for the parameter at some depth.
func (k *Key) Anywhere(p Policy) bool { return slices.ContainsFunc(p, k.Is) }

// Of is a parameter with values of type T.
type Of[T any] struct {
	Key
	read  func(text string) (value T, want string)
	write func(value T) string
}

// Int declares a parameter with whole numbers as values.
func Int(name string, scope Scope) *Of[int] {
	read := func(text string) (int, string) {
		n, err := strconv.Atoi(text)
		if err != nil {
			return 0, "not a number"
		}
		return n, ""
	}
	return &Of[int]{newKey(name, scope), read, strconv.Itoa}
}

// Bool declares a parameter that is true or false.
func Bool(name string, scope Scope) *Of[bool] {
	read := func(text string) (bool, string) {
		if text != "true" && text != "false" {
			return false, "neither true nor false"
		}
		return text == "true", ""
	}
	return &Of[bool]{newKey(name, scope), read, strconv.FormatBool}
}

// Enum declares a parameter whose value is one of some words. Without a list it is any word: those of platforms'
// tables.
func Enum[T ~string](name string, scope Scope, values ...T) *Of[T] {
	read := func(text string) (T, string) {
		if values != nil && !slices.Contains(values, T(text)) {
			return "", "none of " + Words(values...)
		}
		return T(text), ""
	}
	return &Of[T]{newKey(name, scope), read, func(value T) string { return string(value) }}
}

// Words lists values for a person: static, dynamic, guided.
func Words[T ~string](values ...T) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}

// At returns the value at a depth (which does not matter for a parameter of the whole computation), or that of no
// setting, zero, where the policy does not have it or it is none that the parameter can have.
func (p *Of[T]) At(policy Policy, depth int) T {
	value, _ := p.Get(policy, depth)
	return value
}

// Get is At that also reports whether there is a value.
func (p *Of[T]) Get(policy Policy, depth int) (T, bool) {
	if text, ok := p.Text(policy, depth); ok {
		value, want := p.read(text)
		return value, want == ""
	}
	var none T
	return none, false
}

// Or is At with another value than zero where there is none.
func (p *Of[T]) Or(policy Policy, depth int, otherwise T) T {
	if value, ok := p.Get(policy, depth); ok {
		return value
	}
	return otherwise
}

// Read is At that says what is wrong with a value that the parameter cannot have.
func (p *Of[T]) Read(policy Policy, depth int) (T, error) {
	text, ok := p.Text(policy, depth)
	if !ok {
		var none T
		return none, nil
	}
	value, want := p.read(text)
	if want != "" {
		return value, fmt.Errorf("%s=%s is %s", p.SettingName(depth), text, want)
	}
	return value, nil
}

// Value returns the value of a setting of the parameter, zero for one that it cannot have.
func (p *Of[T]) Value(s Setting) T {
	value, _ := p.read(s.Value)
	return value
}

// With returns the setting of the parameter at a depth.
func (p *Of[T]) With(depth int, value T) Setting {
	return Setting{Name: p.SettingName(depth), Value: p.write(value)}
}

// Format returns a value as it stands in settings.
func (p *Of[T]) Format(value T) string { return p.write(value) }
