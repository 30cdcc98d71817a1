package rt

import "syscall"

const sysGetCPU = syscall.SYS_GETCPU
