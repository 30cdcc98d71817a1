//go:build unix

package training

import (
	"os/exec"
	"syscall"
)

// detach keeps an interrupt from the terminal away from the child: its parent decides when it ends.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
