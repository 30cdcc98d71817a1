//go:build race

package rt

// raceEnabled tells tests that count allocations that the race detector, which
// makes sync.Pool forget things, is on.
const raceEnabled = true
