// Package report writes what training learned as a self-contained HTML page: it opens from disk, without a network.
//
// It takes the judgements of package fit and must not time, measure or learn anything itself. It imports fit and
// selector.
package report
