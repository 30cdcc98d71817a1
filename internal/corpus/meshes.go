// Meshes

package corpus

import "math"

// XYZ is a vector.
type XYZ struct{ X, Y, Z float32 }

func (a XYZ) Add(b XYZ) XYZ       { return XYZ{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }
func (a XYZ) Sub(b XYZ) XYZ       { return XYZ{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }
func (a XYZ) Scale(s float32) XYZ { return XYZ{a.X * s, a.Y * s, a.Z * s} }
func (a XYZ) Dot(b XYZ) float32   { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
func (a XYZ) Cross(b XYZ) XYZ {
	return XYZ{a.Y*b.Z - a.Z*b.Y, a.Z*b.X - a.X*b.Z, a.X*b.Y - a.Y*b.X}
}
func (a XYZ) Len() float32           { return float32(math.Sqrt(float64(a.Dot(a)))) }
func (q Turn) Dot(r Turn) float32    { return q.W*r.W + q.V.Dot(r.V) }
func (q Turn) Scaled(s float32) Turn { return Turn{q.W * s, q.V.Scale(s)} }
func (q Turn) Plus(r Turn) Turn      { return Turn{q.W + r.W, q.V.Add(r.V)} }
func (q Turn) Unit() Turn            { return q.Scaled(1 / float32(math.Sqrt(float64(q.Dot(q))))) }

// Turn is a quaternion.
type Turn struct {
	W float32
	V XYZ
}

// Rotate turns a vector.
func (q Turn) Rotate(v XYZ) XYZ {
	t := q.V.Cross(v).Scale(2)
	return v.Add(t.Scale(q.W)).Add(q.V.Cross(t))
}

// Bone is the pose of a bone.
type Bone struct {
	Rot Turn
	Pos XYZ
}

// Skin says which bones move a vertex, and how much.
type Skin struct {
	Bones   [4]uint8
	Weights [4]float32
}

// SkinMesh moves vertices with the bones that they hang on.
//
//surge:kernel
func SkinMesh(rest []XYZ, skins []Skin, pose []Bone) []XYZ {
	out := make([]XYZ, len(rest))
	for i, v := range rest {
		s := skins[i]
		first := pose[s.Bones[0]].Rot
		var rot Turn
		var pos XYZ
		for k, b := range s.Bones {
			w := s.Weights[k]
			if w == 0 {
				continue
			}
			bone := pose[b]
			sign := w
			if bone.Rot.Dot(first) < 0 {
				sign = -w
			}
			rot = rot.Plus(bone.Rot.Scaled(sign))
			pos = pos.Add(bone.Pos.Scale(w))
		}
		out[i] = rot.Unit().Rotate(v).Add(pos)
	}
	return out
}

// Camera looks along z.
type Camera struct {
	Eye   XYZ
	Focal float32
	W, H  int
}

// Sphere is an object of a scene.
type Sphere struct {
	C XYZ
	R float32
}

func scene(p XYZ, spheres []Sphere) float32 {
	d := p.Y + 1
	for _, s := range spheres {
		d = min(d, p.Sub(s.C).Len()-s.R)
	}
	return d
}

// DepthMap marches a ray for each pixel until it hits something.
//
//surge:kernel
func DepthMap(cam Camera, spheres []Sphere, far float32) []float32 {
	depth := make([]float32, cam.W*cam.H)
	for i := range depth {
		x := float32(i%cam.W) - float32(cam.W)/2
		y := float32(cam.H)/2 - float32(i/cam.W)
		dir := XYZ{x, y, cam.Focal}
		dir = dir.Scale(1 / dir.Len())
		t := float32(0)
		for step := 0; step < 96; step++ {
			d := scene(cam.Eye.Add(dir.Scale(t)), spheres)
			if d < 1e-3 {
				break
			}
			t += d
			if t > far {
				t = far
				break
			}
		}
		depth[i] = t
	}
	return depth
}
