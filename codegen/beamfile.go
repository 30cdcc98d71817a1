package codegen

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/surge-ndp/surge/ops/cut"
	"github.com/surge-ndp/surge/ops/load"
)

// BeamModule is the module that runs kernels on Apache Beam. Files of [Program.Beam] import it.
const BeamModule = modulePath + "/codegen/beamrt"

// BeamParquet is the package that programs import whose shards are columns of Parquet files.
const BeamParquet = BeamModule + "/parquet"

// BeamS3 is the package that programs import whose shards or results have names as s3://bucket/x-*.npy.
const BeamS3 = BeamModule + "/s3"

// Beam returns, by base name, the files that let programs, and surge run, run kernels on Apache Beam: those of
// [Program.Blocks], and for each one that makes workers know its kernels. If only is not empty it is the only kernel.
func (p *Program) Beam(only string) (map[string][]byte, error) {
	files, err := p.Blocks(only)
	if err != nil {
		return nil, err
	}
	bodies, constraints := map[string]string{}, map[string]string{}
	for _, k := range p.Kernels {
		if k.Source.VariantOf != "" || only != "" && k.Source.Name != only {
			continue
		}
		file := filepath.Base(k.Source.Pos.File)
		if _, err := p.plan(k); errors.As(err, new(*cut.Refused)) {
			continue
		} else if err != nil {
			return nil, err
		}
		g := newKernelFile(p, k)
		constraints[file] = k.Source.Constraint
		bodies[file] += fmt.Sprintf(`func init() { beamrt.Register(%[1]s) }

// %[2]s adds %[3]s to a pipeline: blocks of blockSize elements of its outermost level, whose inputs are values or
// shards of .npy files (%[4]s makes them of arguments, see also beamrt.Values). It returns the blocks with their
// results, and what is the same for all of them, which beamrt.Write takes.
func %[2]s(ctx context.Context, s beam.Scope, in beamrt.Inputs, blockSize int) (blocks, state beam.PCollection, err error) {
	begin, err := beamrt.Begin(ctx, s, %[1]s, in, blockSize)
	if err != nil {
		return blocks, state, err
	}
	blocks, state = beamrt.Apply(s, %[1]s, begin, 0)
	return blocks, state, nil
}

`, g.clusterName(), g.public("Beam"), k.Source.Name, g.public("Blocks"))
	}
	for file, body := range bodies {
		imports := map[string]string{"context": "", BeamModule: "", "github.com/apache/beam/sdks/v2/go/pkg/beam": ""}
		src, err := p.assemble(file, constraints[file], imports, body)
		if err != nil {
			return nil, fmt.Errorf("codegen: generated code of %s for Beam: %w", file, err)
		}
		files[strings.TrimSuffix(file, ".go")+"_surge_beam.go"] = src
	}
	return files, nil
}

// Columns are the names by which the values of a kernel's parameters are bound, in order: those of parameters that are
// single values, and behind a dot those of fields and halves.
func (c *Cut) Columns() (names []string) {
	for _, q := range c.Kernel.Source.Params {
		names = append(names, partNames(q.Name, q.Part)...)
	}
	for _, q := range c.Kernel.Source.Hidden {
		names = append(names, partNames(q.Name, q.Part)...)
	}
	return names
}

// Hidden is how many of the columns, the last ones, are package-level variables, which nobody binds.
func (c *Cut) Hidden() (n int) {
	for _, q := range c.Kernel.Source.Hidden {
		n += q.Part.Count()
	}
	return n
}

func partNames(name string, p *load.Part) (names []string) {
	switch p.Kind {
	case load.PartComplex:
		return []string{name + ".real", name + ".imag"}
	case load.PartStruct:
		for _, f := range p.Fields {
			names = append(names, partNames(name+"."+f.Name, f.Part)...)
		}
		return names
	case load.PartArray:
		for i := range p.Len {
			names = append(names, partNames(fmt.Sprintf("%s[%d]", name, i), p.Elem)...)
		}
		return names
	case load.PartSlice, load.PartPointer, load.PartTable:
		return partNames(name, p.Elem)
	}
	return []string{name}
}
