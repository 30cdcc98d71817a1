package omprt

import _ "embed"

// Prelude is the C that stands before every source: Go's arithmetic, loops over chunks, checks, memory of threads.
//
//go:embed include/surge.h
var Prelude string
