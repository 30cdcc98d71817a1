package rt

const sysGetCPU = 309 // package syscall does not have it
