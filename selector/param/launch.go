package param

import (
	"fmt"
	"strings"
)

// Launch is a parameter that generated code leaves open: an argument of it, not a part. It is read by the parameter's
// declaration, as a setting is.
type Launch struct {
	// Name is that of the setting: chunk_size_1.
	Name string
	// Values are those that the search space measures, the default first where nothing else decides. Nil means that
	// the values depend on the machine that runs the program.
	Values []string
}

// Setting returns the setting with that value.
func (l Launch) Setting(value string) Setting { return Setting{Name: l.Name, Value: value} }

// Depth returns the nesting level, from 1, that the parameter belongs to, 0 for one of the whole computation.
func (l Launch) Depth() int { return l.Setting("").Depth() }

// Opens reports whether the launch sets the parameter, at whatever depth.
func (k *Key) Opens(l Launch) bool { return k.Is(l.Setting("")) }

// Of returns the values of a launch that sets the parameter, those that the parameter cannot have left out; nil for
// another launch, and where the values depend on the machine.
func (p *Of[T]) Of(l Launch) []T {
	if !p.Opens(l) || l.Values == nil {
		return nil
	}
	values := make([]T, 0, len(l.Values))
	for _, text := range l.Values {
		if value, want := p.read(text); want == "" {
			values = append(values, value)
		}
	}
	return values
}

// LaunchText is the text of launch parameters, as it stands in generated files: NAME=VALUE|VALUE;NAME=, without values
// where they depend on the machine. [ParseLaunch] reads it back.
func LaunchText(launch []Launch) string {
	parts := make([]string, len(launch))
	for i, l := range launch {
		parts[i] = l.Name + "=" + strings.Join(l.Values, "|")
	}
	return strings.Join(parts, ";")
}

// ParseLaunch reads the text of launch parameters.
func ParseLaunch(text string) ([]Launch, error) {
	if text == "" {
		return nil, nil
	}
	var launch []Launch
	at := 1
	for part := range strings.SplitSeq(text, ";") {
		name, values, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("launch parameter %q at byte %d: want NAME=VALUE|VALUE", part, at)
		}
		if err := Word("launch parameter", name, at, ""); err != nil {
			return nil, err
		}
		l := Launch{Name: name}
		if values != "" {
			l.Values = strings.Split(values, "|")
		}
		for _, value := range l.Values {
			if err := Word("value of "+name, value, at+len(name)+1, ""); err != nil {
				return nil, err
			}
		}
		launch = append(launch, l)
		at += len(part) + 1
	}
	return launch, nil
}
