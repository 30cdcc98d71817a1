//go:build !amd64

package vec

// CPU returns the name that the processor gives itself, "" where it does not.
func CPU() string { return "" }

// Level names the instructions that vectors use: none where [Native] is false.
func Level() string { return "none" }
