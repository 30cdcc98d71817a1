#!/bin/sh
# Tests and benchmarks on a machine with a GPU that may have nothing else: no Go, no package registry, no OpenCL loader.
# docs/measurements/gpu.md says where it has run.
#
#   bench/gpu.sh pack FOLDER       here: puts all that it takes into FOLDER (and FOLDER.tar.gz beside it)
#   FOLDER/surge/bench/gpu.sh run  there: device, tests, benchmarks; the report is in FOLDER/out (OUT names another)
#
# In FOLDER are the sources of this checkout (surge), the Go toolchain (go) and the modules (mod) that they need, for
# the platform of this machine, and the OpenCL loader (lib) if there is one here. Kernels are compiled where they run,
# with the limits of the device that is there. "run" in an ordinary checkout takes the Go that is installed. It takes
# parts, in this order: device, tests, bench; without any, all. ONLY (parts of case names, comma separated) and SIZE
# (elements of the largest arrays) are for bench; MTX, a folder of Matrix Market files, is for both: pack takes it
# along.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

pack() {
	folder=$1
	mkdir -p "$(dirname "$folder")" && mkdir "$folder" || { echo "choose a new folder" >&2; exit 1; }
	folder=$(cd "$folder" && pwd)
	cd "$root"
	go version
	mkdir -p "$folder/surge" "$folder/go/bin" "$folder/mod" "$folder/lib"
	git ls-files -co --exclude-standard | tar cf - -T - | tar xf - -C "$folder/surge"

	goroot=$(go env GOROOT) tools=pkg/tool/$(go env GOOS)_$(go env GOARCH)
	cp "$goroot/bin/go" "$folder/go/bin"
	(cd "$goroot" && tar cf - --exclude=src/cmd --exclude=testdata --exclude='*_test.go' \
		VERSION go.env pkg/include $tools/compile $tools/link $tools/asm $tools/vet src) | tar xf - -C "$folder/go"

	# Of the modules, what packages and tests need, and what says which versions they are.
	cache=$(go env GOMODCACHE)
	CGO_ENABLED=0 go list -deps -test -f '{{$d := .Dir}}{{with .Module}}{{if not .Main}}{{.GoMod}}{{"\n"}}{{$d}}{{end}}{{end}}{{range .EmbedFiles}}{{"\n"}}{{$d}}/{{.}}{{end}}' ./... |
		sort -u | while read -r at; do if [ -d "$at" ]; then find "$at" -maxdepth 1 -type f; else echo "$at"; fi; done |
		sed -n "s|^$cache/||p" | sort -u | tar cf - -C "$cache" -T - | tar xf - -C "$folder/mod"
	(cd "$cache" && find cache/download \( -name '*.mod' -o -name '*.info' -o -name '*.ziphash' \) | tar cf - -T -) | tar xf - -C "$folder/mod"

	for lib in $(ldconfig -p 2>/dev/null | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -1); do cp -L "$lib" "$folder/lib"; done
	if [ -n "${MTX:-}" ]; then mkdir "$folder/mtx"; cp "$MTX"/*.mtx* "$folder/mtx"; fi
	tar czf "$folder.tar.gz" -C "$(dirname "$folder")" "$(basename "$folder")"
	du -sh "$folder" "$folder.tar.gz"
}

# environment sets up what a packed folder has.
environment() {
	home=$(dirname "$root")
	if [ -x "$home/go/bin/go" ]; then
		export GOROOT="$home/go" GOMODCACHE="$home/mod" PATH="$home/go/bin:$PATH"
		export GOPROXY=off GOFLAGS=-buildvcs=false GOTOOLCHAIN=local GOTELEMETRY=off CGO_ENABLED=0
		export GOCACHE="$home/cache/go" XDG_CACHE_HOME="$home/cache"
		: "${OUT:=$home/out}" "${MTX:=$home/mtx}"
	fi
	command -v go >/dev/null || { echo "there is no Go, and this is no folder that bench/gpu.sh has packed" >&2; exit 1; }
	export HOME="${HOME:-/tmp}" OUT="${OUT:-$root/bench/out}"
	mkdir -p "$OUT"
	# Where drivers are registered, a loader finds them: the machine's, or the packed one. Where none is, surge is
	# shown the driver itself, which containers have in places of their own.
	driver=$(find /usr/local/nvidia /usr/lib* /usr/local/lib* /opt -name 'libnvidia-opencl.so.1' 2>/dev/null | head -1)
	if [ -n "$driver" ]; then export LD_LIBRARY_PATH="$(dirname "$driver")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; fi
	if [ -n "${SURGE_OPENCL_LIBRARY:-}" ]; then
		return
	elif ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1; then
		if [ -e "$home/lib/libOpenCL.so.1" ] && ! ldconfig -p 2>/dev/null | grep -q libOpenCL.so.1; then
			export SURGE_OPENCL_LIBRARY="$home/lib/libOpenCL.so.1"
		fi
	elif [ -n "$driver" ]; then
		export SURGE_OPENCL_LIBRARY="$driver"
	fi
}

# device says what the machine has, also where that is no OpenCL: then a driver's other libraries are what is there.
device() {
	date -u +%Y-%m-%d
	uname -srm
	nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null || echo "no nvidia-smi"
	echo "OpenCL library: ${SURGE_OPENCL_LIBRARY:-that of the machine, or a driver}"
	grep -h . /etc/OpenCL/vendors/*.icd 2>/dev/null || echo "no driver is registered in /etc/OpenCL/vendors"
	go run ./cmd/surge platforms
	if ! go run ./cmd/surge platforms --platform opencl --json | grep -q '"runs": true'; then
		echo "drivers that are there:"
		find / -xdev \( -name 'libnvidia*.so*' -o -name 'libcuda.so*' -o -name 'libnvrtc.so*' -o -name 'libamdocl*' -o -name 'libze_*' \) 2>/dev/null | head -40
		return 1
	fi
}

# tests are those of OpenCL.
tests() {
	go test -count=1 ./codegen/opencl/... && go test -count=1 -run OpenCL ./codegen/... ./internal/... ./training ./cmd/surge &&
		go test -count=1 -run TestScripts/opencl ./cmd/surge
}

benchmarks() {
	set -- -platform opencl ${ONLY:+-only "$ONLY"} ${SIZE:+-size "$SIZE"} -o "$OUT/device.md"
	if [ -n "${MTX:-}" ] && [ -d "$MTX" ]; then set -- "$@" -mtx "$MTX"; fi
	go run ./bench "$@"
}

run() {
	environment
	cd "$root"
	failed=0
	for part in ${*:-device tests bench}; do
		case $part in device | tests) ;; bench) part=benchmarks ;; *) echo "there is no part $part: device, tests, bench" >&2; exit 1 ;; esac
		echo "== $part"
		{ $part 2>&1 && echo 0 >"$OUT/status" || echo 1 >"$OUT/status"; } | tee "$OUT/$part.log"
		[ "$(cat "$OUT/status")" = 0 ] || failed=1
	done
	rm "$OUT/status"
	exit $failed
}

case ${1:-} in
pack) pack "${2:?a folder to make}" ;;
run) shift; run "$@" ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
