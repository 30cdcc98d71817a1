package goroutine

import (
	"go/scanner"
	"go/token"
)

// mentions reports whether Go code, a part of a file, uses a name: as itself or before a dot, not as a field or method
// behind one. Comments and texts do not count: they hold names of files, which may be any.
func mentions(code, name string) bool {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(code)), []byte(code), func(token.Position, string) {}, 0)
	for before := token.EOF; ; {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return false
		case tok == token.IDENT && text == name && before != token.PERIOD:
			return true
		}
		before = tok
	}
}
