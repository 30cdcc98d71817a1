//go:build !amd64

package vec

import "runtime"

const (
	amd64 = false
	arch  = runtime.GOARCH
)

func detect() uint8 { return levelPortable }
