# make test      what has to hold before a change lands, in minutes: all checks, and tests with fewer random kernels
#                and variants
# make test-long all tests whole, in hours, with N random kernels for goroutines, and DEVICE_N for OpenMP and for
#                OpenCL, whose compilers take seconds for each: before a release
# make gogl      the OpenCL run time by way of github.com/go-gl/cl: it needs cgo and OpenCL's headers
# make generate  the generated files beside the examples' sources
# make bench     ours against the C++ peers, in turn, on the same inputs (PEERS=another folder of peers, ONLY=parts of
#                case names, comma separated; BUDGET=time for the search of a row, 10s unless given)
# make suite     the programs of the literature on their data sets, into docs/measurements/suite.md (ONLY=programs,
#                comma separated; NOTE=what to say of the machine)
# make pack      all that tests and benchmarks on a bare machine with a GPU take, into the new folder OUT
#                (see bench/gpu.sh)
# make plain     kernels against themselves as plain Go, the worst first (ONLY=a part of a kernel's name)
# make versus    the corpus in C with OpenMP against goroutines, into docs/measurements/openmp.md (NOTE=what to say of
#                the machine)
# make regret    how well trained models choose, on inputs that they have not seen (MTX=folder of Matrix Market files)
#                (QUICK=1: of five programs, in some ten minutes)
# make torture   random kernels, as many as N says, against plain Go
# make beam      the pipelines of Apache Beam, in a module of their own, whose dependencies take minutes to compile;
#                PRISM random kernels and every CORPUSth kernel of the corpus run in them
# make avx2      vectors and random kernels on an emulated processor without AVX-512 (needs qemu-user; minutes)
# make fuzz      every fuzz target for FUZZTIME

GO       ?= go
PEERS    ?= bench/peers
MTX      ?=
ONLY     ?=
BUDGET   ?=
N        ?= 1000
DEVICE_N ?= 250
FUZZTIME ?= 20s
QUICK    ?=
PRISM    ?= 8
CORPUS   ?= 16
EXAMPLES  = examples/spmv examples/reduction examples/scan examples/kmeans examples/comd
SIMD      = GOEXPERIMENT=simd
# Tests compile many kernels: half of their time would be garbage collection.
SHORT     = GOGC=400 GOMEMLIMIT=3GiB

.PHONY: test test-long generate lint check-generated unit variants unit-simd race race-long bench torture fuzz regret plain versus suite opencl-setup gogl avx2 pack beam

# Two targets at a time: one compiles while the last package of the other runs alone.
test: opencl-setup lint check-generated
	@$(MAKE) -j2 unit variants
	@$(MAKE) -j2 unit-simd race gogl

test-long: opencl-setup lint check-generated
	@echo "== vet and all tests"; $(GO) test -vet=all -timeout 120m ./...
	@echo "== vet and all tests, GOEXPERIMENT=simd"; $(SIMD) $(GO) test -vet=all -timeout 120m -skip '$(SAME_WITH_SIMD)' ./...
	@$(MAKE) race-long gogl
	@$(MAKE) beam PRISM=500 CORPUS=1
	@echo "== $(N) random kernels"; $(SIMD) $(GO) test ./codegen/internal/torture -count=1 -timeout=0 -run TestTorture -torture.n=$(N)
	@echo "== $(DEVICE_N) random kernels, OpenCL"; SURGE_OPENCL_COPY=1 $(GO) test ./codegen/internal/torture -count=1 -timeout=0 -run TestTorture -torture.n=$(DEVICE_N) -torture.platform=opencl -torture.codes=2
	@echo "== $(DEVICE_N) random kernels, OpenMP"; $(GO) test ./codegen/internal/torture -count=1 -timeout=0 -run TestTorture -torture.n=$(DEVICE_N) -torture.platform=openmp -torture.codes=2

# All of go vet is run by go test -vet=all, which has compiled what it looks at; with the experiment it looks at the
# packages that have files of their own for that. Staticcheck is quicker where it may take memory.
lint:
	@echo "== gofmt"; out=$$(gofmt -l .); test -z "$$out" || { echo "not gofmt'ed: $$out"; exit 1; }
	@echo "== staticcheck"; GOGC=400 $(GO) tool staticcheck ./...

check-generated:
	@echo "== generated files are up to date"
	@for d in $(EXAMPLES) internal/whole; do $(GO) run ./cmd/surge generate --check ./$$d || exit 1; done

# The packages whose tests compile many kernels and run their variants, in programs of their own, which are built with
# the experiment; the tests themselves need not be. Arrays are copied to the device there, as to a GPU's memory; in
# other tests a CPU that is the device has them in common with the host.
VARIANTS = ./internal/kernels ./codegen/internal/keyed ./codegen/internal/sorting ./codegen/internal/torture

unit:
	@echo "== vet and tests"; $(SHORT) $(GO) test -short -vet=all -timeout 20m -skip '$(EVERY_VARIANT)' $$($(GO) list ./... | grep -vxF "$$($(GO) list $(VARIANTS))")

variants:
	@echo "== vet and tests of the variants"; SURGE_OPENCL_COPY=1 $(SHORT) $(GO) test -short -vet=all -timeout 20m -exec 'env $(SIMD)' $(VARIANTS)

# What runs every variant of the examples takes minutes: make test-long has it.
EVERY_VARIANT = ^TestAllVariants$$

# The packages that are compiled into other code with the experiment.
WITH_SIMD = ./codegen/goroutine/... ./codegen/harness $(addprefix ./,$(EXAMPLES))
SAME_WITH_SIMD = OpenCL|OpenMP|NamesInC|KernelIR|Deterministic|OperatorTable|Lacks|Clashes|NumberOfVariants|ModelVariants|CheckedOnce

unit-simd:
	@echo "== vet, GOEXPERIMENT=simd"; $(SIMD) $(GO) vet $$(grep -rlE '^//go:build.*goexperiment' --include='*.go' . | grep -v testdata/ | xargs -n1 dirname | sort -u)
	@echo "== tests, GOEXPERIMENT=simd"; $(SHORT) $(SIMD) $(GO) test -short -vet=off -timeout 20m $(WITH_SIMD)
	@echo "== variants of the examples, GOEXPERIMENT=simd"; $(SHORT) $(SIMD) $(GO) test -short -vet=off -timeout 20m -run '^TestExamples' ./codegen

# Tests of inputs in one goroutine, whose time is for numbers.
ONE_GOROUTINE = Bombs|ShardMatrix|ShardArray|PowerLaw|Scattered|FuzzMatrixMarket
RACE = ./codegen/goroutine/rt ./codegen/exec ./codegen/harness ./codegen/opencl/clrt ./internal/whole ./examples/spmv ./examples/reduction ./examples/scan

race:
	@echo "== tests, race detector"; $(GO) test -race -short -vet=off -p 1 $(RACE)

race-long:
	@echo "== tests, race detector"; $(GO) test -race -short -vet=off -p 1 -skip '$(ONE_GOROUTINE)' $(RACE) ./examples/kmeans ./examples/comd ./training/input

# OpenCL for machines without a GPU, and the simulator that finds races. Where that cannot be installed the tests that
# need it skip and say why.
OPENCL_PACKAGES = pocl-opencl-icd ocl-icd-opencl-dev opencl-headers oclgrind

opencl-setup:
	@command -v dpkg-query >/dev/null && command -v apt-get >/dev/null && test "$$(id -u)" = 0 || exit 0; \
	missing=; for p in $(OPENCL_PACKAGES); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	test -n "$$missing" || exit 0; \
	echo "== installing$$missing"; log=$$(mktemp); \
	{ DEBIAN_FRONTEND=noninteractive timeout 300 apt-get install -y --no-install-recommends $$missing || \
	  { timeout 120 apt-get update && DEBIAN_FRONTEND=noninteractive timeout 300 apt-get install -y --no-install-recommends $$missing; }; } >$$log 2>&1 || \
	echo "   not possible: $$(tail -1 $$log)"; rm -f $$log

# That package links with -lCL and needs two names that today's headers have in other places.
GOGL_FLAGS = -DCL_TARGET_OPENCL_VERSION=120 -DCL_DEVICE_IMAGE_PITCH_ALIGNMENT=0x104A -DCL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT=0x104B -Wno-deprecated-declarations

gogl:
	@echo "== tests, OpenCL by way of go-gl/cl"; dir=$$(mktemp -d); trap 'rm -rf $$dir' EXIT; \
	echo 'INPUT(-lOpenCL)' >$$dir/libCL.so; printf '#include <CL/opencl.h>\nint main(void) { return clFinish(0) == 0; }\n' >$$dir/probe.c; \
	if ! $${CC:-cc} $(GOGL_FLAGS) -o $$dir/probe $$dir/probe.c -L$$dir -lCL 2>$$dir/log; then \
		echo "   skipped: $$(grep -m1 -E 'error|not found|cannot' $$dir/log)"; exit 0; fi; \
	CGO_CFLAGS='$(GOGL_FLAGS)' CGO_LDFLAGS=-L$$dir $(GO) vet -tags gogl ./codegen/opencl/clrt && \
	CGO_CFLAGS='$(GOGL_FLAGS)' CGO_LDFLAGS=-L$$dir $(GO) test -tags gogl ./codegen/opencl/clrt

# The modules of their own: nobody else carries Beam's dependencies.
BEAM = codegen/beamrt examples/beam

beam:
	@for m in $(BEAM); do echo "== vet and tests, $$m"; (cd $$m && $(GO) test -vet=all -timeout 30m ./...) || exit 1; done
	@echo "== generated files are up to date"; $(GO) run ./cmd/surge generate --check --target beam ./examples/beam/kernels
	@echo "== surge run --target beam"; run="$(GO) run ./cmd/surge run ./examples/spmv --data A=gen:powerlaw:rows=10k,avg=8 --target beam --block 999"; \
	$$run --verify && $$run --platform openmp --verify || exit 1; \
	$$run 2>&1 | grep building && { echo "the program for Beam is built anew"; exit 1; }; true
	@echo "== $(PRISM) random kernels, and every $(CORPUS). kernel of the corpus"
	@$(GO) test ./codegen/internal/torture -count=1 -timeout=0 -run TestPrism -torture.prism=$(PRISM)
	@$(GO) test ./internal/corpus -count=1 -timeout=0 -run TestPrism -prism=$(CORPUS)

generate:
	@for d in $(EXAMPLES) internal/whole; do $(GO) run ./cmd/surge generate ./$$d || exit 1; done

bench:
	PEERS=$(PEERS) $(SIMD) $(GO) run ./bench $(if $(ONLY),-only "$(ONLY)") $(if $(BUDGET),-budget $(BUDGET))

suite:
	$(SIMD) $(GO) run ./bench/suite $(if $(ONLY),-only "$(ONLY)",-o docs/measurements/suite.md) -note "$(NOTE)"

pack:
	MTX=$(MTX) bench/gpu.sh pack $(or $(OUT),bench/out/gpu)

plain:
	$(GO) run ./bench/plain $(if $(ONLY),-only "$(ONLY)") -o docs/measurements/plain.md

versus:
	$(SIMD) $(GO) run ./internal/corpus/measure -platform openmp -note "$(NOTE)"

regret:
	$(GO) run ./bench/regret $(if $(MTX),-mtx $(MTX)) $(if $(QUICK),-short)

torture:
	$(SIMD) $(GO) test ./codegen/internal/torture -count=1 -timeout=0 -torture.n=$(N) -v

# Without the features that the emulator lacks and would say so. It makes no load of no lane from nowhere.
AVX2 = qemu-x86_64 -cpu Haswell-v4,-tsc-deadline,-invpcid,-spec-ctrl,-pcid,-x2apic

avx2:
	$(SIMD) $(GO) test ./codegen/goroutine/vec -count=1 -exec '$(AVX2)' -skip TestPartOfNothing
	$(SIMD) $(GO) test ./codegen/internal/torture -count=1 -timeout=0 -run 'TestFixed|TestLanes|TestFollowing$$|TestWaiting|TestTorture' -torture.n=$(N) -torture.under='$(AVX2)' -v

fuzz:
	@for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
		echo "== $$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; done; done
