package rt

// Even returns l changed so that a loop over [0,n) has at most one chunk a thread, of equal length: for loops whose
// chunks need much memory of their own. The chunks depend on n and l.Threads only.
func Even(n int, l Loop) Loop {
	threads := clampThreads(l.Threads)
	l.Schedule, l.Chunk = Static, max(ceilDiv(n, threads), 1)
	return l
}
