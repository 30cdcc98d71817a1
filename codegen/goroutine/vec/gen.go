//go:build ignore

// This program writes the generated files of package vec; see internal/gen.
package main

import (
	"log"
	"os"

	"github.com/surge-ndp/surge/codegen/goroutine/vec/internal/gen"
)

func main() {
	files, err := gen.Files()
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
