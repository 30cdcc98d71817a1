//go:build !amd64

package vec

import "unsafe"

func pack8x8(dst, src unsafe.Pointer, n int) { packPortable((*uint64)(dst), (*uint64)(src), 8, n) }

func pack8x4(dst, src unsafe.Pointer, n int) { packPortable((*uint64)(dst), (*uint64)(src), 4, n) }

func pack4x16(dst, src unsafe.Pointer, n int) { packPortable((*uint32)(dst), (*uint32)(src), 16, n) }

func pack4x8(dst, src unsafe.Pointer, n int) { packPortable((*uint32)(dst), (*uint32)(src), 8, n) }

func unpack8x4(dst, src unsafe.Pointer, n, apart int) { panic("there is no AVX2") }

func unpack4x8(dst, src unsafe.Pointer, n, apart int) { panic("there is no AVX2") }
