package codegen

import (
	"fmt"
	"slices"
	"strings"
)

// EmbeddingName is the generated file that makes a program carry its models.
const EmbeddingName = "surge.model_surge.go"

// Embedding returns the file EmbeddingName, which embeds the model file surge.model that lies in the same directory.
//
// Its pattern matches its own name too: a pattern that matches nothing is an error of the Go compiler, and a program
// whose model file was deleted has to build, and to choose without models.
func (p *Program) Embedding() ([]byte, error) {
	names := make([]string, len(p.Kernels))
	var constraints []string
	for i, k := range p.Kernels {
		names[i] = "&" + unexported(k.Source.Name) + "Kernel"
		if c := k.Source.Constraint; c != "" && !slices.Contains(constraints, "("+c+")") {
			constraints = append(constraints, "("+c+")")
		}
	}
	body := fmt.Sprintf(`//go:embed surge.model*
var surgeModel embed.FS

func init() { exec.Embed(surgeModel, "surge.model", %s) }
`, strings.Join(names, ", "))
	return p.assemble("surge.model", strings.Join(constraints, " && "), map[string]string{"embed": "", modulePath + "/codegen/exec": ""}, body)
}
