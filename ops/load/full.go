package load

import "regexp"

// noRoom is what operating systems say where nothing can be written.
var noRoom = regexp.MustCompile(`no space left on device|disk quota exceeded|file too large|read-only file system|not enough space on the disk`)

// NoRoom returns the part of the output of a program that says that nothing can be written where it wants to, "" if
// there is none.
func NoRoom(output string) string { return noRoom.FindString(output) }
