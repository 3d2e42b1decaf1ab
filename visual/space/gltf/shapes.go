package gltf

import (
	"encoding/binary"
	"math"
)

// A shape holds the accessors of the triangles of a mesh.
type shape struct{ points, normals, indices int }

func (s shape) primitive(material int) primitive {
	return primitive{Attributes: attributes{Position: s.points, Normal: s.normals}, Indices: s.indices, Material: material}
}

// sphere adds a sphere of radius 1.
func (f *file) sphere() shape {
	const rings, around = 16, 32
	var points []float32
	for i := range rings + 1 {
		sin, y := math.Sincos(math.Pi * float64(i) / rings)
		for k := range around + 1 {
			z, x := math.Sincos(2 * math.Pi * float64(k) / around)
			points = append(points, float32(sin*x), float32(y), float32(-sin*z))
		}
	}
	return f.shape(points, points, grid(rings, around))
}

// pipe adds the lower and the upper half of an open cylinder of radius 1, along y from -1 to 1.
func (f *file) pipe() (halves [2]shape) {
	const around = 12
	for half := range halves {
		var points, normals []float32
		for i := range 2 {
			for k := range around + 1 {
				z, x := math.Sincos(2 * math.Pi * float64(k) / around)
				points = append(points, float32(x), float32(half-i), float32(-z))
				normals = append(normals, float32(x), 0, float32(-z))
			}
		}
		halves[half] = f.shape(points, normals, grid(1, around))
	}
	return halves
}

// disc adds a closed cylinder of radius 1, along y from -1 to 1.
func (f *file) disc() shape {
	const around = 48
	var points, normals []float32
	for i := range 2 {
		for k := range around + 1 {
			z, x := math.Sincos(2 * math.Pi * float64(k) / around)
			points = append(points, float32(x), float32(1-2*i), float32(-z))
			normals = append(normals, float32(x), 0, float32(-z))
		}
	}
	indices := grid(1, around)
	for side := range 2 { // upper and lower end
		y, middle := float32(1-2*side), uint16(len(points)/3)
		points, normals = append(points, 0, y, 0), append(normals, 0, y, 0)
		for k := range around + 1 {
			z, x := math.Sincos(2 * math.Pi * float64(k) / around)
			points, normals = append(points, float32(x), y, float32(-z)), append(normals, 0, y, 0)
			if k > 0 {
				a, b := middle+uint16(k), middle+uint16(k)+1
				if side > 0 {
					a, b = b, a
				}
				indices = append(indices, middle, a, b)
			}
		}
	}
	return f.shape(points, normals, indices)
}

// grid returns the triangles of rows of squares. A row of n squares has n+1 points. Rows go down and points go around
// to the left, so that triangles face outwards.
func grid(rows, around int) (indices []uint16) {
	for i := range rows {
		for k := range around {
			a := uint16(i*(around+1) + k)
			b := a + uint16(around) + 1
			indices = append(indices, a, b, b+1, a, b+1, a+1)
		}
	}
	return indices
}

// Targets of buffer views.
const (
	vertices = 34962
	elements = 34963
)

func (f *file) shape(points, normals []float32, indices []uint16) shape {
	s := shape{points: f.floats("VEC3", points, vertices, true), normals: f.floats("VEC3", normals, vertices, false)}
	from := len(f.bin)
	for _, i := range indices {
		f.bin = binary.LittleEndian.AppendUint16(f.bin, i)
	}
	s.indices = f.access(from, accessor{ComponentType: 5123, Count: len(indices), Type: "SCALAR"}, elements)
	return s
}

// floats adds numbers to the buffer and returns their accessor. With bounds, the accessor has the minimum and maximum
// of each component.
func (f *file) floats(kind string, v []float32, use int, bounds bool) int {
	wide := map[string]int{"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind]
	from := len(f.bin)
	for _, x := range v {
		f.bin = binary.LittleEndian.AppendUint32(f.bin, math.Float32bits(x))
	}
	a := accessor{ComponentType: 5126, Count: len(v) / wide, Type: kind}
	if bounds {
		a.Min, a.Max = append([]float32(nil), v[:wide]...), append([]float32(nil), v[:wide]...)
		for i, x := range v {
			a.Min[i%wide], a.Max[i%wide] = min(a.Min[i%wide], x), max(a.Max[i%wide], x)
		}
	}
	return f.access(from, a, use)
}

// access adds an accessor, with a view of its own, of the buffer from the given offset to its end.
func (f *file) access(begin int, a accessor, use int) int {
	f.BufferViews = append(f.BufferViews, bufferView{ByteOffset: begin, ByteLength: len(f.bin) - begin, Target: use})
	for len(f.bin)%4 != 0 {
		f.bin = append(f.bin, 0)
	}
	a.BufferView = len(f.BufferViews) - 1
	f.Accessors = append(f.Accessors, a)
	return len(f.Accessors) - 1
}
