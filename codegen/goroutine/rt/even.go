package rt

// Even returns l changed so that a loop over [0,n) has at most one chunk a thread, of equal length: for loops whose
// chunks have `width` elements of memory each. Chunks that another loop shares stay, but have as many iterations at
// least, so that their memory is no more than an element an iteration. The chunks depend on the arguments only.
func Even(n, width int, l Loop) Loop {
	if l.shared {
		l.Chunk = max(l.Chunk, width)
		return l
	}
	threads := clampThreads(l.Threads)
	l.Schedule, l.Chunk = Static, max(ceilDiv(n, threads), 1)
	return l
}
