package fuse

// SetStripTurns changes how many turns of a loop are done at a time, until what it returns is called.
func SetStripTurns(n int64) (undo func()) {
	old := stripTurns
	stripTurns = n
	return func() { stripTurns = old }
}

// SetWave changes the least rows and columns of a block of a wavefront, and how many blocks there are at least, until
// what it returns is called.
func SetWave(rows, columns, blocks int64) (undo func()) {
	oldRows, oldColumns, oldBlocks := waveRows, waveColumns, waveBlocks
	waveRows, waveColumns, waveBlocks = rows, columns, blocks
	return func() { waveRows, waveColumns, waveBlocks = oldRows, oldColumns, oldBlocks }
}
