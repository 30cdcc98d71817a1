//go:build goexperiment.simd

package main

import (
	"math"
	"simd/archsimd"

	"github.com/surge-ndp/surge/codegen/goroutine/vec"
)

var _ = archsimd.X86
func splat(f float32) (a [16]float32) { for i := range a { a[i] = f }; return }
var m1v, halfv, nhalfv, phalf, hx = splat(-1), splat(-0.5), splat(-0.5),splat(0.5), splat(0x1p-126)
var lines [64*16]float32

func C1wr(s *set) {
x, y, z, mass := &s.x[0], &s.y[0], &s.z[0], &s.m[0]
n := len(s.x)
var red [3]float32
for i := 0; i < n; i++ {
rx0 := *vec.AddrF32x16(&zero[0], 0)
ry0 := *vec.AddrF32x16(&zero[0], 0)
rz0 := *vec.AddrF32x16(&zero[0], 0)
xis := vec.LoadSplatF32x16(x, i)
yis := vec.LoadSplatF32x16(y, i)
zis := vec.LoadSplatF32x16(z, i)
k := *vec.AddrF32x16(&eps[0], 0)
for i2 := 0; i2+16 <= n; i2 += 16 {
dx0 := (*vec.AddrF32x16(x, i2)).Sub(xis)
dy0 := (*vec.AddrF32x16(y, i2)).Sub(yis)
dz0 := (*vec.AddrF32x16(z, i2)).Sub(zis)
m0 := *vec.AddrF32x16(mass, i2)
t60 := dx0.Mul(dx0).Add(dy0.Mul(dy0)).Add(dz0.Mul(dz0)).Add(k)
e0 := t60.ReciprocalSqrt()
w0 := t60.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e0, e0)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
rx0 = dx0.MulAdd(s0, rx0)
ry0 = dy0.MulAdd(s0, ry0)
rz0 = dz0.MulAdd(s0, rz0)
}
vec.SumToF32x16(rx0, &red[0], 0)
vec.SumToF32x16(ry0, &red[1], 0)
vec.SumToF32x16(rz0, &red[2], 0)
vec.Clear()
s.ax[i], s.ay[i], s.az[i] = red[0], red[1], red[2]
}
}

func C1wrr(s *set) {
x, y, z, mass := &s.x[0], &s.y[0], &s.z[0], &s.m[0]
n := len(s.x)
var red [3]float32
for i := 0; i < n; i++ {
rx0 := *vec.AddrF32x16(&zero[0], 0)
ry0 := *vec.AddrF32x16(&zero[0], 0)
rz0 := *vec.AddrF32x16(&zero[0], 0)
xis := vec.LoadSplatF32x16(x, i)
yis := vec.LoadSplatF32x16(y, i)
zis := vec.LoadSplatF32x16(z, i)
k := *vec.AddrF32x16(&eps[0], 0)
hxr := (*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()
phr := *vec.AddrF32x16(&phalf[0],0)
for i2 := 0; i2+16 <= n; i2 += 16 {
dx0 := (*vec.AddrF32x16(x, i2)).Sub(xis)
dy0 := (*vec.AddrF32x16(y, i2)).Sub(yis)
dz0 := (*vec.AddrF32x16(z, i2)).Sub(zis)
m0 := *vec.AddrF32x16(mass, i2)
t60 := dx0.Mul(dx0).Add(dy0.Mul(dy0)).Add(dz0.Mul(dz0)).Add(k)
e0 := t60.ReciprocalSqrt()
w0 := t60.AsInt32x16().Add(hxr).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, phr).MulAdd(e0, e0)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
rx0 = dx0.MulAdd(s0, rx0)
ry0 = dy0.MulAdd(s0, ry0)
rz0 = dz0.MulAdd(s0, rz0)
}
vec.SumToF32x16(rx0, &red[0], 0)
vec.SumToF32x16(ry0, &red[1], 0)
vec.SumToF32x16(rz0, &red[2], 0)
vec.Clear()
s.ax[i], s.ay[i], s.az[i] = red[0], red[1], red[2]
}
}

func C2iwr(s *set) {
x, y, z, mass := &s.x[0], &s.y[0], &s.z[0], &s.m[0]
n := len(s.x)
var red [3]float32
for i := 0; i < n; i++ {
rx0 := *vec.AddrF32x16(&zero[0], 0)
ry0 := *vec.AddrF32x16(&zero[0], 0)
rz0 := *vec.AddrF32x16(&zero[0], 0)
xis := vec.LoadSplatF32x16(x, i)
yis := vec.LoadSplatF32x16(y, i)
zis := vec.LoadSplatF32x16(z, i)
k := *vec.AddrF32x16(&eps[0], 0)
for i2 := 0; i2+32 <= n; i2 += 32 {
dx0 := (*vec.AddrF32x16(x, i2)).Sub(xis)
dx1 := (*vec.AddrF32x16(x, i2+16)).Sub(xis)
dy0 := (*vec.AddrF32x16(y, i2)).Sub(yis)
dy1 := (*vec.AddrF32x16(y, i2+16)).Sub(yis)
dz0 := (*vec.AddrF32x16(z, i2)).Sub(zis)
dz1 := (*vec.AddrF32x16(z, i2+16)).Sub(zis)
m0 := *vec.AddrF32x16(mass, i2)
m1 := *vec.AddrF32x16(mass, i2+16)
t60 := dx0.Mul(dx0).Add(dy0.Mul(dy0)).Add(dz0.Mul(dz0)).Add(k)
t61 := dx1.Mul(dx1).Add(dy1.Mul(dy1)).Add(dz1.Mul(dz1)).Add(k)
e0 := t60.ReciprocalSqrt()
e1 := t61.ReciprocalSqrt()
w0 := t60.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
w1 := t61.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e0, e0)
q1 := w1.Mul(e1).MulAdd(e1, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e1, e1)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
s1 := m1.Mul(q1).Mul(q1).Mul(q1)
rx0 = dx0.MulAdd(s0, rx0)
rx0 = dx1.MulAdd(s1, rx0)
ry0 = dy0.MulAdd(s0, ry0)
ry0 = dy1.MulAdd(s1, ry0)
rz0 = dz0.MulAdd(s0, rz0)
rz0 = dz1.MulAdd(s1, rz0)
}
vec.SumToF32x16(rx0, &red[0], 0)
vec.SumToF32x16(ry0, &red[1], 0)
vec.SumToF32x16(rz0, &red[2], 0)
vec.Clear()
s.ax[i], s.ay[i], s.az[i] = red[0], red[1], red[2]
}
}

func C2iwrr(s *set) {
x, y, z, mass := &s.x[0], &s.y[0], &s.z[0], &s.m[0]
n := len(s.x)
var red [3]float32
for i := 0; i < n; i++ {
rx0 := *vec.AddrF32x16(&zero[0], 0)
ry0 := *vec.AddrF32x16(&zero[0], 0)
rz0 := *vec.AddrF32x16(&zero[0], 0)
xis := vec.LoadSplatF32x16(x, i)
yis := vec.LoadSplatF32x16(y, i)
zis := vec.LoadSplatF32x16(z, i)
k := *vec.AddrF32x16(&eps[0], 0)
hxr := (*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()
phr := *vec.AddrF32x16(&phalf[0],0)
for i2 := 0; i2+32 <= n; i2 += 32 {
dx0 := (*vec.AddrF32x16(x, i2)).Sub(xis)
dx1 := (*vec.AddrF32x16(x, i2+16)).Sub(xis)
dy0 := (*vec.AddrF32x16(y, i2)).Sub(yis)
dy1 := (*vec.AddrF32x16(y, i2+16)).Sub(yis)
dz0 := (*vec.AddrF32x16(z, i2)).Sub(zis)
dz1 := (*vec.AddrF32x16(z, i2+16)).Sub(zis)
m0 := *vec.AddrF32x16(mass, i2)
m1 := *vec.AddrF32x16(mass, i2+16)
t60 := dx0.Mul(dx0).Add(dy0.Mul(dy0)).Add(dz0.Mul(dz0)).Add(k)
t61 := dx1.Mul(dx1).Add(dy1.Mul(dy1)).Add(dz1.Mul(dz1)).Add(k)
e0 := t60.ReciprocalSqrt()
e1 := t61.ReciprocalSqrt()
w0 := t60.AsInt32x16().Add(hxr).AsFloat32x16()
w1 := t61.AsInt32x16().Add(hxr).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, phr).MulAdd(e0, e0)
q1 := w1.Mul(e1).MulAdd(e1, phr).MulAdd(e1, e1)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
s1 := m1.Mul(q1).Mul(q1).Mul(q1)
rx0 = dx0.MulAdd(s0, rx0)
rx0 = dx1.MulAdd(s1, rx0)
ry0 = dy0.MulAdd(s0, ry0)
ry0 = dy1.MulAdd(s1, ry0)
rz0 = dz0.MulAdd(s0, rz0)
rz0 = dz1.MulAdd(s1, rz0)
}
vec.SumToF32x16(rx0, &red[0], 0)
vec.SumToF32x16(ry0, &red[1], 0)
vec.SumToF32x16(rz0, &red[2], 0)
vec.Clear()
s.ax[i], s.ay[i], s.az[i] = red[0], red[1], red[2]
}
}

func C2wr(s *set) {
x, y, z, mass := &s.x[0], &s.y[0], &s.z[0], &s.m[0]
n := len(s.x)
var red [3]float32
for i := 0; i < n; i++ {
rx0 := *vec.AddrF32x16(&zero[0], 0)
ry0 := *vec.AddrF32x16(&zero[0], 0)
rz0 := *vec.AddrF32x16(&zero[0], 0)
xis := vec.LoadSplatF32x16(x, i)
yis := vec.LoadSplatF32x16(y, i)
zis := vec.LoadSplatF32x16(z, i)
k := *vec.AddrF32x16(&eps[0], 0)
for i2 := 0; i2+32 <= n; i2 += 32 {
dx0 := (*vec.AddrF32x16(x, i2)).Sub(xis)
dy0 := (*vec.AddrF32x16(y, i2)).Sub(yis)
dz0 := (*vec.AddrF32x16(z, i2)).Sub(zis)
m0 := *vec.AddrF32x16(mass, i2)
t60 := dx0.Mul(dx0).Add(dy0.Mul(dy0)).Add(dz0.Mul(dz0)).Add(k)
e0 := t60.ReciprocalSqrt()
w0 := t60.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e0, e0)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
rx0 = dx0.MulAdd(s0, rx0)
ry0 = dy0.MulAdd(s0, ry0)
rz0 = dz0.MulAdd(s0, rz0)
dx1 := (*vec.AddrF32x16(x, i2+16)).Sub(xis)
dy1 := (*vec.AddrF32x16(y, i2+16)).Sub(yis)
dz1 := (*vec.AddrF32x16(z, i2+16)).Sub(zis)
m1 := *vec.AddrF32x16(mass, i2+16)
t61 := dx1.Mul(dx1).Add(dy1.Mul(dy1)).Add(dz1.Mul(dz1)).Add(k)
e1 := t61.ReciprocalSqrt()
w1 := t61.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
q1 := w1.Mul(e1).MulAdd(e1, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e1, e1)
s1 := m1.Mul(q1).Mul(q1).Mul(q1)
rx0 = dx1.MulAdd(s1, rx0)
ry0 = dy1.MulAdd(s1, ry0)
rz0 = dz1.MulAdd(s1, rz0)
}
vec.SumToF32x16(rx0, &red[0], 0)
vec.SumToF32x16(ry0, &red[1], 0)
vec.SumToF32x16(rz0, &red[2], 0)
vec.Clear()
s.ax[i], s.ay[i], s.az[i] = red[0], red[1], red[2]
}
}

func C1fwr(s *set) {
x, y, z, mass := &s.x[0], &s.y[0], &s.z[0], &s.m[0]
n := len(s.x)
var red [3]float32
for i := 0; i < n; i++ {
rx0 := *vec.AddrF32x16(&zero[0], 0)
ry0 := *vec.AddrF32x16(&zero[0], 0)
rz0 := *vec.AddrF32x16(&zero[0], 0)
xis := vec.LoadSplatF32x16(x, i)
yis := vec.LoadSplatF32x16(y, i)
zis := vec.LoadSplatF32x16(z, i)
k := *vec.AddrF32x16(&eps[0], 0)
for i2 := 0; i2+16 <= n; i2 += 16 {
dx0 := (*vec.AddrF32x16(x, i2)).Sub(xis)
dy0 := (*vec.AddrF32x16(y, i2)).Sub(yis)
dz0 := (*vec.AddrF32x16(z, i2)).Sub(zis)
m0 := *vec.AddrF32x16(mass, i2)
t60 := dz0.MulAdd(dz0, dy0.MulAdd(dy0, dx0.MulAdd(dx0, k)))
e0 := t60.ReciprocalSqrt()
w0 := t60.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e0, e0)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
rx0 = dx0.MulAdd(s0, rx0)
ry0 = dy0.MulAdd(s0, ry0)
rz0 = dz0.MulAdd(s0, rz0)
}
vec.SumToF32x16(rx0, &red[0], 0)
vec.SumToF32x16(ry0, &red[1], 0)
vec.SumToF32x16(rz0, &red[2], 0)
vec.Clear()
s.ax[i], s.ay[i], s.az[i] = red[0], red[1], red[2]
}
}

func C2ifwr(s *set) {
x, y, z, mass := &s.x[0], &s.y[0], &s.z[0], &s.m[0]
n := len(s.x)
var red [3]float32
for i := 0; i < n; i++ {
rx0 := *vec.AddrF32x16(&zero[0], 0)
ry0 := *vec.AddrF32x16(&zero[0], 0)
rz0 := *vec.AddrF32x16(&zero[0], 0)
xis := vec.LoadSplatF32x16(x, i)
yis := vec.LoadSplatF32x16(y, i)
zis := vec.LoadSplatF32x16(z, i)
k := *vec.AddrF32x16(&eps[0], 0)
for i2 := 0; i2+32 <= n; i2 += 32 {
dx0 := (*vec.AddrF32x16(x, i2)).Sub(xis)
dx1 := (*vec.AddrF32x16(x, i2+16)).Sub(xis)
dy0 := (*vec.AddrF32x16(y, i2)).Sub(yis)
dy1 := (*vec.AddrF32x16(y, i2+16)).Sub(yis)
dz0 := (*vec.AddrF32x16(z, i2)).Sub(zis)
dz1 := (*vec.AddrF32x16(z, i2+16)).Sub(zis)
m0 := *vec.AddrF32x16(mass, i2)
m1 := *vec.AddrF32x16(mass, i2+16)
t60 := dz0.MulAdd(dz0, dy0.MulAdd(dy0, dx0.MulAdd(dx0, k)))
t61 := dz1.MulAdd(dz1, dy1.MulAdd(dy1, dx1.MulAdd(dx1, k)))
e0 := t60.ReciprocalSqrt()
e1 := t61.ReciprocalSqrt()
w0 := t60.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
w1 := t61.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e0, e0)
q1 := w1.Mul(e1).MulAdd(e1, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e1, e1)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
s1 := m1.Mul(q1).Mul(q1).Mul(q1)
rx0 = dx0.MulAdd(s0, rx0)
rx0 = dx1.MulAdd(s1, rx0)
ry0 = dy0.MulAdd(s0, ry0)
ry0 = dy1.MulAdd(s1, ry0)
rz0 = dz0.MulAdd(s0, rz0)
rz0 = dz1.MulAdd(s1, rz0)
}
vec.SumToF32x16(rx0, &red[0], 0)
vec.SumToF32x16(ry0, &red[1], 0)
vec.SumToF32x16(rz0, &red[2], 0)
vec.Clear()
s.ax[i], s.ay[i], s.az[i] = red[0], red[1], red[2]
}
}

func P1wr(s *set) {
x, y, z, mass := &s.x[0], &s.y[0], &s.z[0], &s.m[0]
n := len(s.x)
var red [3]float32
for i := 0; i < n; i++ {
rx0 := *vec.AddrF32x16(&zero[0], 0)
ry0 := *vec.AddrF32x16(&zero[0], 0)
rz0 := *vec.AddrF32x16(&zero[0], 0)
xis := vec.LoadSplatF32x16(x, i)
yis := vec.LoadSplatF32x16(y, i)
zis := vec.LoadSplatF32x16(z, i)
k := *vec.AddrF32x16(&eps[0], 0)
dx0 := (*vec.AddrF32x16(x, 0)).Sub(xis)
dy0 := (*vec.AddrF32x16(y, 0)).Sub(yis)
dz0 := (*vec.AddrF32x16(z, 0)).Sub(zis)
t60 := dx0.Mul(dx0).Add(dy0.Mul(dy0)).Add(dz0.Mul(dz0)).Add(k)
e0 := t60.ReciprocalSqrt()
i2 := 16
for ; i2+16 <= n; i2 += 16 {
w0 := t60.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e0, e0)
m0 := *vec.AddrF32x16(mass, i2-16)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
rx0 = dx0.MulAdd(s0, rx0)
ry0 = dy0.MulAdd(s0, ry0)
rz0 = dz0.MulAdd(s0, rz0)
dx1 := (*vec.AddrF32x16(x, i2)).Sub(xis)
dy1 := (*vec.AddrF32x16(y, i2)).Sub(yis)
dz1 := (*vec.AddrF32x16(z, i2)).Sub(zis)
t61 := dx1.Mul(dx1).Add(dy1.Mul(dy1)).Add(dz1.Mul(dz1)).Add(k)
e1 := t61.ReciprocalSqrt()
dx0,dy0,dz0,t60,e0=dx1,dy1,dz1,t61,e1
}
w0 := t60.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e0, e0)
m0 := *vec.AddrF32x16(mass, i2-16)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
rx0 = dx0.MulAdd(s0, rx0)
ry0 = dy0.MulAdd(s0, ry0)
rz0 = dz0.MulAdd(s0, rz0)
vec.SumToF32x16(rx0, &red[0], 0)
vec.SumToF32x16(ry0, &red[1], 0)
vec.SumToF32x16(rz0, &red[2], 0)
vec.Clear()
s.ax[i], s.ay[i], s.az[i] = red[0], red[1], red[2]
}
}

func P1fwr(s *set) {
x, y, z, mass := &s.x[0], &s.y[0], &s.z[0], &s.m[0]
n := len(s.x)
var red [3]float32
for i := 0; i < n; i++ {
rx0 := *vec.AddrF32x16(&zero[0], 0)
ry0 := *vec.AddrF32x16(&zero[0], 0)
rz0 := *vec.AddrF32x16(&zero[0], 0)
xis := vec.LoadSplatF32x16(x, i)
yis := vec.LoadSplatF32x16(y, i)
zis := vec.LoadSplatF32x16(z, i)
k := *vec.AddrF32x16(&eps[0], 0)
dx0 := (*vec.AddrF32x16(x, 0)).Sub(xis)
dy0 := (*vec.AddrF32x16(y, 0)).Sub(yis)
dz0 := (*vec.AddrF32x16(z, 0)).Sub(zis)
t60 := dz0.MulAdd(dz0, dy0.MulAdd(dy0, dx0.MulAdd(dx0, k)))
e0 := t60.ReciprocalSqrt()
i2 := 16
for ; i2+16 <= n; i2 += 16 {
w0 := t60.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e0, e0)
m0 := *vec.AddrF32x16(mass, i2-16)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
rx0 = dx0.MulAdd(s0, rx0)
ry0 = dy0.MulAdd(s0, ry0)
rz0 = dz0.MulAdd(s0, rz0)
dx1 := (*vec.AddrF32x16(x, i2)).Sub(xis)
dy1 := (*vec.AddrF32x16(y, i2)).Sub(yis)
dz1 := (*vec.AddrF32x16(z, i2)).Sub(zis)
t61 := dz1.MulAdd(dz1, dy1.MulAdd(dy1, dx1.MulAdd(dx1, k)))
e1 := t61.ReciprocalSqrt()
dx0,dy0,dz0,t60,e0=dx1,dy1,dz1,t61,e1
}
w0 := t60.AsInt32x16().Add((*vec.AddrF32x16(&hx2[0],0)).AsInt32x16()).AsFloat32x16()
q0 := w0.Mul(e0).MulAdd(e0, *vec.AddrF32x16(&phalf[0],0)).MulAdd(e0, e0)
m0 := *vec.AddrF32x16(mass, i2-16)
s0 := m0.Mul(q0).Mul(q0).Mul(q0)
rx0 = dx0.MulAdd(s0, rx0)
ry0 = dy0.MulAdd(s0, ry0)
rz0 = dz0.MulAdd(s0, rz0)
vec.SumToF32x16(rx0, &red[0], 0)
vec.SumToF32x16(ry0, &red[1], 0)
vec.SumToF32x16(rz0, &red[2], 0)
vec.Clear()
s.ax[i], s.ay[i], s.az[i] = red[0], red[1], red[2]
}
}

var hx2 = splat(float32(math.Inf(1)))
func init() {
variants = append(variants, variant{"C1wr", C1wr}, variant{"C1wrr", C1wrr}, variant{"C2iwr", C2iwr}, variant{"C2iwrr", C2iwrr}, variant{"C2wr", C2wr}, variant{"C1fwr", C1fwr}, variant{"C2ifwr", C2ifwr}, variant{"P1wr", P1wr}, variant{"P1fwr", P1fwr}) }
