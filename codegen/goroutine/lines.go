package goroutine

import "strings"

// lineWidth is how long a line of several declarations or assignments may become, without its indentation.
const lineWidth = 116

// Pairs are names with values, for declarations or assignments of several at once.
type Pairs struct{ names, values []string }

// Add adds a pair.
func (p *Pairs) Add(name, value string) {
	p.names, p.values = append(p.names, name), append(p.values, value)
}

// Text prints the pairs around an operator, as many in a line as it holds.
func (p *Pairs) Text(operator string) string {
	var sb strings.Builder
	for from := 0; from < len(p.names); {
		to, width := from, 4
		for to < len(p.names) && (to == from || width+len(p.names[to])+len(compact(p.values[to]))+4 <= lineWidth) {
			width += len(p.names[to]) + len(compact(p.values[to])) + 4
			to++
		}
		sb.WriteString("\t" + strings.Join(p.names[from:to], ", ") + " " + operator + " " + strings.Join(p.values[from:to], ", ") + "\n")
		from = to
	}
	return sb.String()
}

// Fields are names with types: those of one type stand together, in the order of the types' first names.
type Fields struct {
	types []string
	names map[string][]string
}

// Add adds a field.
func (f *Fields) Add(name, typ string) {
	if f.names == nil {
		f.names = map[string][]string{}
	}
	if f.names[typ] == nil {
		f.types = append(f.types, typ)
	}
	f.names[typ] = append(f.names[typ], name)
}

// Text prints the fields, before each line what begins it.
func (f *Fields) Text(begin string) string {
	var sb strings.Builder
	for _, typ := range f.types {
		for _, line := range strings.Split(strings.TrimSuffix(Filled(f.names[typ], ", ", "\n"), "\n"), "\n") {
			sb.WriteString(begin + line + " " + typ + "\n")
		}
	}
	return sb.String()
}

// Filled prints texts with a separator between two of a line, as many in a line as it holds; end is what ends a line.
func Filled(texts []string, separator, end string) string {
	var sb strings.Builder
	width := 0
	for i, t := range texts {
		switch {
		case i == 0:
		case width+len(separator)+len(t) > lineWidth:
			sb.WriteString(end)
			width = 0
		default:
			sb.WriteString(separator)
			width += len(separator)
		}
		sb.WriteString(t)
		width += len(t)
	}
	if len(texts) > 0 {
		sb.WriteString(end)
	}
	return sb.String()
}
