package fuse

// SetStripTurns changes how many turns of a loop are done at a time, until what it returns is called.
func SetStripTurns(n int64) (undo func()) {
	old := stripTurns
	stripTurns = n
	return func() { stripTurns = old }
}
