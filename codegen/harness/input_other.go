//go:build !unix

package harness

import "os"

func waiting(in *os.File) *os.File { return in }
