//go:build !amd64

package vec

// ClearUpper has nothing to do here: see the one for amd64.
func ClearUpper() {}
