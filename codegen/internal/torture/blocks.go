package torture

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/cut"
)

// registration makes the kernels that are cut known to the program.
const registration = `package %s

import "github.com/surge-ndp/surge/codegen/internal/torture/drive"

func init() { drive.Cut(%sCluster, Blocks%s) }
`

// cut writes what is generated of a kernel block by block, if it can be cut.
func (b *batch) cut(pkg string, program *codegen.Program, k *codegen.Kernel) error {
	own := b.kernels[k.Source.Name]
	files, err := func() (files map[string][]byte, err error) {
		defer recovered(&err)
		return program.Blocks(own.Name)
	}()
	if errors.As(err, new(*cut.Refused)) {
		b.out.Uncut++
		return nil
	}
	if err != nil {
		b.fail(own, "blocks", "%v", err)
		return nil
	}
	for name, src := range files {
		if err := b.write(pkg+"/"+name, string(src)); err != nil {
			return err
		}
	}
	base := strings.ToLower(own.Name[:1]) + own.Name[1:]
	return b.write(pkg+"/"+strings.TrimSuffix(file(own), ".go")+"_surge_cut.go", fmt.Sprintf(registration, pkg, base, own.Name))
}

// uncut removes what cut has written of a kernel.
func (b *batch) uncut(k *Kernel) {
	for _, end := range []string{"_surge_blocks.go", "_surge_cut.go"} {
		found, _ := filepath.Glob(filepath.Join(b.dir, "*", strings.TrimSuffix(file(k), ".go")+end))
		for _, f := range found {
			os.Remove(f)
		}
	}
}
