//go:build !unix

package training

import "os/exec"

// detach keeps an interrupt from the terminal away from the child where the system can.
func detach(*exec.Cmd) {}
