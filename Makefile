# make test      everything that has to hold before a change lands
# make generate  the generated files beside the examples' sources
# make bench     ours against the C++ peers, in turn, on the same inputs (PEERS=folder of the peers' sources, ONLY=parts of
#                case names, comma separated)
# make regret    how well trained models choose, on inputs that they have not seen (MTX=folder of Matrix Market files)
# make torture   random kernels, as many as N says, against plain Go
# make fuzz      every fuzz target for FUZZTIME

GO       ?= go
PEERS    ?= ../shared/peers
MTX      ?=
ONLY     ?=
N        ?= 1000
FUZZTIME ?= 20s
EXAMPLES  = examples/spmv examples/reduction examples/scan examples/kmeans
SIMD      = GOEXPERIMENT=simd

.PHONY: test generate lint check-generated unit unit-simd race bench torture fuzz regret

test: lint check-generated unit unit-simd race

lint:
	@echo "== gofmt"; out=$$(gofmt -l .); test -z "$$out" || { echo "not gofmt'ed: $$out"; exit 1; }
	@echo "== go vet"; $(GO) vet ./...
	@echo "== go vet, GOEXPERIMENT=simd"; $(SIMD) $(GO) vet ./...
	@echo "== staticcheck"; $(GO) tool staticcheck ./...

check-generated:
	@echo "== generated files are up to date"
	@for d in $(EXAMPLES); do $(GO) run ./cmd/surge generate --check ./$$d || exit 1; done

unit:
	@echo "== tests"; $(GO) test ./...

unit-simd:
	@echo "== tests, GOEXPERIMENT=simd"; $(SIMD) $(GO) test ./...

race:
	@echo "== tests, race detector"; $(GO) test -race -short ./codegen/goroutine/rt ./codegen/exec ./codegen/harness ./examples/... ./training/input

generate:
	@for d in $(EXAMPLES); do $(GO) run ./cmd/surge generate ./$$d || exit 1; done

bench:
	PEERS=$(PEERS) $(SIMD) $(GO) run ./bench $(if $(ONLY),-only $(ONLY))

regret:
	$(GO) run ./bench/regret $(if $(MTX),-mtx $(MTX))

torture:
	$(SIMD) $(GO) test ./codegen/internal/torture -count=1 -timeout=0 -torture.n=$(N) -v

fuzz:
	@for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
		echo "== $$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; done; done
