// Package threads has what the tables of all platforms share that run on this machine's processors: parameters and
// constraints of levels that are divided among threads, whatever the threads are called there ([Of]), and of the
// lanes of a core.
//
// It imports policy, schedule, ops/fuse, selector and selector/param, and is imported by such platforms. It must not
// know any of them.
package threads
