package selector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// Resolve finds the variant that a user names: an id, a canonical text, or any parts of one, as [Match] takes them.
// Of several that match it takes the one that [Untrained] prefers without knowing the input; launch settings that the
// text leaves open get their defaults. The error names what is unknown and the nearest that exists.
func Resolve(text string, codes []Code, cores int) (Variant, error) {
	matching, err := Match(text, codes, cores)
	if err != nil {
		return Variant{}, err
	}
	if len(matching) == 1 {
		return matching[0].fill(cores, nil), nil
	}
	choices, err := Untrained{}.Rank(Input{Cores: cores, Codes: matching})
	if err != nil {
		return Variant{}, err
	}
	return choices[0].Variant, nil
}

// Match returns the codes that agree with text, with their launch values narrowed to those that text demands, in the
// order of codes. A selector can then choose among them. The text is one of
//
//   - the id of a complete variant, or of a code, whose launch settings stay open;
//   - a canonical text;
//   - parts separated by /, in any order, each of which is a computation, a form, a schedule, a platform, or settings:
//     independent>cooperative/vector_width_2=8,num_threads=2.
//
// At least one code is returned unless there is an error.
func Match(text string, codes []Code, cores int) ([]Code, error) {
	text = strings.TrimSpace(text)
	if len(codes) == 0 {
		return nil, fmt.Errorf("variant %q: there are no variants to choose from", text)
	}
	if isID(text) {
		if code, ok := findID(text, codes, cores); ok {
			return []Code{code}, nil
		}
	}
	matching := slices.Clone(codes)
	var given param.Policy
	for _, part := range strings.Split(text, "/") {
		if strings.ContainsRune(part, '=') {
			policy, err := param.Parse(part, 1)
			if err != nil {
				return nil, fmt.Errorf("variant %q: %w", text, err)
			}
			for _, s := range policy {
				if _, twice := given.Get(s.Name); twice {
					return nil, fmt.Errorf("variant %q: setting %s is given twice", text, s.Name)
				}
				given = append(given, s)
				if matching, err = narrow(matching, s, cores); err != nil {
					return nil, fmt.Errorf("unknown variant %q: %w", text, err)
				}
			}
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(matching), func(c Code) bool {
			return part != c.Computation && part != c.Form && part != c.Schedule && part != c.Platform
		})
		if len(kept) == 0 {
			return nil, unknownPart(text, part, codes, matching)
		}
		matching = kept
	}
	// Launch settings that do not go together: what remains must have at least one complete variant.
	var conflict error
	matching = slices.DeleteFunc(matching, func(c Code) bool {
		err := launchConflict(c.fill(cores, nil))
		if err != nil {
			conflict = err
		}
		return err != nil
	})
	if len(matching) == 0 {
		return nil, fmt.Errorf("variant %q cannot be launched: %w", text, conflict)
	}
	return matching, nil
}

// narrow keeps the codes that have setting s or can be launched with it.
func narrow(codes []Code, s Setting, cores int) ([]Code, error) {
	if err := takes(codes, s, cores); err != nil {
		return nil, err
	}
	var kept []Code
	for _, c := range codes {
		if !c.takes(s, cores) {
			continue
		}
		if at := slices.IndexFunc(c.Launch, func(l Launch) bool { return l.Name == s.Name }); at >= 0 {
			c.Launch = slices.Clone(c.Launch)
			c.Launch[at].Values = []string{s.Value}
		}
		kept = append(kept, c)
	}
	return kept, nil
}

func appendNew(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// unknownPart explains why no code agrees with part.
func unknownPart(text, part string, codes, matching []Code) error {
	var names, left []string
	for _, c := range codes {
		for _, n := range []string{c.Computation, c.Form, c.Schedule, c.Platform} {
			names = appendNew(names, n)
		}
	}
	if slices.Contains(names, part) {
		for _, c := range matching {
			left = appendNew(left, c.Computation+"/"+c.Form+"/"+c.Schedule+"/"+c.Platform)
		}
		return fmt.Errorf("unknown variant %q: %s exists, but not together with the rest; what agrees with the rest is %s",
			text, part, strings.Join(left[:min(4, len(left))], " and "))
	}
	if isID(text) {
		return fmt.Errorf("unknown variant %q: no variant of %s has this id on this machine; list them with surge inspect --variants",
			text, strings.Join(computations(codes), ", "))
	}
	near := Nearest(part, names, 3)
	if len(near) == 0 {
		near = names[:min(6, len(names))]
	}
	return fmt.Errorf("unknown variant %q: %q is no computation, form, schedule or platform of it; nearest: %s",
		text, part, strings.Join(near, ", "))
}

func computations(codes []Code) []string {
	var names []string
	for _, c := range codes {
		names = appendNew(names, c.Computation)
	}
	return names
}

func isID(text string) bool {
	return len(text) == 8 && strings.Trim(text, "0123456789abcdef") == ""
}

// findID goes through the launch settings of each code. A whole search space has some thousand variants and each costs
// well under a microsecond.
func findID(id string, codes []Code, cores int) (Code, bool) {
	for _, c := range codes {
		if c.ID() == id {
			return c, true
		}
	}
	for _, c := range codes {
		launch := make([]Setting, len(c.Launch))
		if found := c.search(id, cores, launch, 0); found {
			c.Launch = slices.Clone(c.Launch)
			for i, s := range launch {
				c.Launch[i].Values = []string{s.Value}
			}
			return c, true
		}
	}
	return Code{}, false
}

// search tries every value of the launch parameters from the i-th on; launch holds the values that it found.
func (code *Code) search(id string, cores int, launch []Setting, i int) bool {
	if i == len(launch) {
		return code.fill(cores, launch).ID() == id
	}
	for _, value := range valuesOf(code.Launch[i], cores) {
		launch[i] = code.Launch[i].Setting(value)
		if code.search(id, cores, launch, i+1) {
			return true
		}
	}
	return false
}
