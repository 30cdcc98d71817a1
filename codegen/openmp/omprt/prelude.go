package omprt

import _ "embed"

// Prelude is the C that stands before every source: Go's arithmetic, loops over chunks, checks, memory of threads.
//
//go:embed include/surge.h
var Prelude string

// Library is what functions for programs in C need behind the prelude, and LibraryHeader what their header declares.
var (
	//go:embed include/library.h
	Library string
	//go:embed include/error.h
	LibraryHeader string
)
