// Package blockwise knows what a run of a kernel block by block reads, [Inputs], and what it would take: the size of
// blocks, a plan of its stages, and an estimate of its time.
//
// It knows no engine, and the program that starts a run knows it as well as the command, which plans without building
// one. It may import codegen/cluster and training/input.
package blockwise
