//go:build !linux || !(amd64 || arm64)

package rt

func processor() int { return -1 }

func leaveProcessor(int) {}
