package rt

// leastWork is the number of operations from which a loop is shared with others: waking them takes a few microseconds.
const leastWork = 1 << 15

// Worth returns l, or where a loop has few operations in all, about, that on one thread.
func Worth(operations int, l Loop) Loop {
	if operations < leastWork {
		l.Threads = 1
	}
	return l
}
