// Logs

package corpus

import "strings"

// Level is how serious a line is.
type Level uint8

const (
	Unknown Level = iota
	Debug
	Info
	Warn
	Error
)

func levelOf(word string) Level {
	switch strings.ToUpper(word) {
	case "DEBUG":
		return Debug
	case "INFO":
		return Info
	case "WARN", "WARNING":
		return Warn
	case "ERROR", "FATAL":
		return Error
	}
	return Unknown
}

// Levels returns the level of each line: the second field.
//
//surge:kernel
func LineLevels(lines []string) []Level {
	levels := make([]Level, len(lines))
	for i, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		levels[i] = levelOf(strings.Trim(fields[1], "[]:"))
	}
	return levels
}

// StatusCounts counts the status codes of access logs.
//
//surge:kernel
func StatusCounts(lines []string) (codes []int, counts []int) {
	seen := map[int]int{}
	for _, line := range lines {
		at := strings.LastIndexByte(line, '"')
		if at < 0 || at+5 > len(line) {
			continue
		}
		code := 0
		for _, c := range []byte(line[at+2 : at+5]) {
			if c < '0' || c > '9' {
				code = 0
				break
			}
			code = code*10 + int(c-'0')
		}
		seen[code]++
	}
	for code := 0; code < 1000; code++ {
		if n := seen[code]; n > 0 {
			codes = append(codes, code)
			counts = append(counts, n)
		}
	}
	return codes, counts
}
