package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/space"
	"whorl/visual/testdata/spacetest"
)

// A read is a parsed file.
type read struct {
	*testing.T
	doc struct {
		Nodes []struct {
			Name                         string
			Translation, Rotation, Scale []float64
			Mesh, Camera                 *int
		}
		Animations []struct {
			Channels []struct {
				Sampler int
				Target  struct {
					Node int
					Path string
				}
			}
			Samplers []struct {
				Input, Output int
				Interpolation string
			}
		}
		Accessors []struct {
			BufferView, ByteOffset, ComponentType, Count int
			Type                                         string
			Min, Max                                     []float64
		}
		BufferViews []struct{ Buffer, ByteOffset, ByteLength int }
		Buffers     []struct{ ByteLength int }
		Materials   []struct {
			PBR struct{ BaseColorFactor []float64 } `json:"pbrMetallicRoughness"`
		}
		Meshes []struct {
			Primitives []struct {
				Attributes        map[string]int
				Indices, Material int
			}
		}
		Cameras []any
	}
	bin []byte
}

// open writes a world and parses the file according to the specification.
func open(t *testing.T, w *space.World) *read {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, Write(&b, w))
	data := b.Bytes()
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(data[at:])) }
	if string(data[:4]) != "glTF" || u32(4) != 2 || u32(8) != len(data) || len(data)%4 != 0 || string(data[16:20]) != "JSON" || u32(12)%4 != 0 {
		t.Fatalf("not a binary glTF 2.0 file of %d bytes: % x", len(data), data[:20])
	}
	f := &read{T: t}
	end := 20 + u32(12)
	must.Do(t, json.Unmarshal(data[20:end], &f.doc))
	if string(data[end+4:end+8]) != "BIN\x00" || u32(end)%4 != 0 || end+8+u32(end) != len(data) {
		t.Fatalf("no buffer after the JSON: % x", data[end:end+8])
	}
	f.bin = data[end+8:]
	if len(f.doc.Buffers) != 1 || f.doc.Buffers[0].ByteLength != len(f.bin) {
		t.Fatalf("buffers %+v, want one of %d bytes", f.doc.Buffers, len(f.bin))
	}
	for i := range f.doc.Accessors {
		f.numbers(i) // checks the bounds of the accessor in its view and in the buffer
	}
	return f
}

// numbers returns the values of an accessor.
func (f *read) numbers(i int) []float64 {
	f.Helper()
	a := f.doc.Accessors[i]
	v := f.doc.BufferViews[a.BufferView]
	wide := map[string]int{"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a.Type]
	size := map[int]int{5126: 4, 5123: 2}[a.ComponentType]
	if v.Buffer != 0 || wide == 0 || size == 0 || a.ByteOffset+a.Count*wide*size > v.ByteLength || v.ByteOffset+v.ByteLength > len(f.bin) || v.ByteOffset%4 != 0 {
		f.Fatalf("invalid accessor %d %+v with view %+v of a buffer of %d bytes", i, a, v, len(f.bin))
	}
	var out []float64
	for k := range a.Count * wide {
		b := f.bin[v.ByteOffset+a.ByteOffset+k*size:]
		if size == 2 {
			out = append(out, float64(binary.LittleEndian.Uint16(b)))
		} else {
			out = append(out, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		}
	}
	for k, x := range out {
		if a.Min != nil && (x < a.Min[k%wide] || x > a.Max[k%wide]) {
			f.Fatalf("accessor %d: value %g outside %v to %v", i, x, a.Min, a.Max)
		}
	}
	return out
}

// track returns the values of a property of a node by frame, nil if it is not animated.
func (f *read) track(node, path string) []float64 {
	f.Helper()
	for _, c := range f.doc.Animations[0].Channels {
		if f.doc.Nodes[c.Target.Node].Name == node && c.Target.Path == path {
			s := f.doc.Animations[0].Samplers[c.Sampler]
			if s.Interpolation != "LINEAR" {
				f.Errorf("%s of %s has interpolation %s", path, node, s.Interpolation)
			}
			return f.numbers(s.Output)
		}
	}
	return nil
}

// TestTwo reads back two bodies and a link.
func TestTwo(t *testing.T) {
	w := spacetest.Two()
	f := open(t, w)
	for i, s := range f.doc.Animations[0].Samplers {
		if s.Input != f.doc.Animations[0].Samplers[0].Input {
			t.Errorf("sampler %d has separate key frames", i)
		}
	}
	input := f.doc.Accessors[f.doc.Animations[0].Samplers[0].Input]
	if keys := f.numbers(f.doc.Animations[0].Samplers[0].Input); len(keys) != 3 || keys[0] != 0 || keys[1] != 2 || keys[2] != 4 || input.Min[0] != 0 || input.Max[0] != 4 {
		t.Errorf("key frames at %v s, from %v to %v", keys, input.Min, input.Max)
	}
	near(t, "sizes of the first body", f.track("0", "scale"), 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 1, 1, 1)
	near(t, "positions of the second body", f.track("1", "translation"), 2, 0, 0, math.Sqrt2, math.Sqrt2, 0, 0, 2, 0)
	if f.track("0", "translation") != nil || f.track("1", "scale") != nil {
		t.Error("a constant property is animated")
	}
	near(t, "positions of the link", f.track("0-1", "translation"), 1, 0, 0, math.Sqrt2/2, math.Sqrt2/2, 0, 0, 1, 0)
	near(t, "sizes of the link", f.track("0-1", "scale"), 0.1, 1, 0.1, 0.1, 1, 0.1, 2e-4, 2e-4, 2e-4)
	// y turns to x, to the diagonal, and to y: by 90, 45 and 0 degrees about z.
	s, c := math.Sincos(math.Pi / 8)
	near(t, "rotations of the link", f.track("0-1", "rotation"), 0, 0, -math.Sqrt2/2, math.Sqrt2/2, 0, 0, -s, c, 0, 0, 0, 1)
	for _, c := range []struct {
		name string
		want []float64
	}{{"0", []float64{1, 0, 0, 1}}, {"1", []float64{0, 0, 1, 1}}} {
		for _, n := range f.doc.Nodes {
			if n.Name == c.name {
				near(t, "colour of "+c.name, f.doc.Materials[f.doc.Meshes[*n.Mesh].Primitives[0].Material].PBR.BaseColorFactor, c.want...)
			}
		}
	}
	if len(f.doc.Cameras) != 1 {
		t.Errorf("%d cameras", len(f.doc.Cameras))
	}
}

func near(t *testing.T, property string, got []float64, want ...float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", property, got, want)
		return
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-6 {
			t.Errorf("%s: %v, want %v", property, got, want)
			return
		}
	}
}

// TestShapes checks that all triangles face outwards, in the direction of their normals, and that points have bounds.
func TestShapes(t *testing.T) {
	f := open(t, spacetest.Ring(5, 20))
	for _, m := range f.doc.Meshes {
		for _, p := range m.Primitives {
			points, normals := f.numbers(p.Attributes["POSITION"]), f.numbers(p.Attributes["NORMAL"])
			if a := f.doc.Accessors[p.Attributes["POSITION"]]; len(a.Min) != 3 || len(a.Max) != 3 {
				t.Fatalf("points without bounds: %+v", a)
			}
			indices := f.numbers(p.Indices)
			corner := func(v []float64, i float64) space.Vec { return space.Vec(v[3*int(i) : 3*int(i)+3]) }
			for k := 0; k < len(indices); k += 3 {
				a, b, c := corner(points, indices[k]), corner(points, indices[k+1]), corner(points, indices[k+2])
				n := corner(normals, indices[k])
				u, v := space.Vec{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, space.Vec{c[0] - a[0], c[1] - a[1], c[2] - a[2]}
				out := (u[1]*v[2]-u[2]*v[1])*n[0] + (u[2]*v[0]-u[0]*v[2])*n[1] + (u[0]*v[1]-u[1]*v[0])*n[2]
				if out < -1e-9 {
					t.Fatalf("triangle %v %v %v looks away from %v", a, b, c, n)
				}
			}
		}
	}
}

// TestSteady checks that successive quaternions are in the same half of the sphere, so that programs that do not
// choose the shorter way take it too. It also checks that equal worlds give equal files.
func TestSteady(t *testing.T) {
	w := spacetest.Ring(5, 50)
	f := open(t, w)
	turned := 0
	for _, n := range f.doc.Nodes {
		v := f.track(n.Name, "rotation")
		for k := 4; k < len(v); k += 4 {
			turned++
			if v[k]*v[k-4]+v[k+1]*v[k-3]+v[k+2]*v[k-2]+v[k+3]*v[k-1] < 0 {
				t.Fatalf("%s turns the long way in frame %d", n.Name, k/4)
			}
		}
	}
	if turned < 5*49 {
		t.Errorf("%d turns", turned)
	}
	var a, b bytes.Buffer
	_ = Write(&a, w)
	_ = Write(&b, spacetest.Ring(5, 50))
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("equal worlds give different files")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestFull(t *testing.T) {
	if err := Write(full{}, spacetest.Two()); err == nil || err.Error() != "the disk is full" {
		t.Error(err)
	}
}
