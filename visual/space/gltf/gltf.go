// Package gltf writes worlds as glTF 2.0 in one binary file (Khronos, "glTF 2.0 Specification", 2021; ISO/IEC 12113).
// The file has an animated node for each body and each link, a camera and two lights.
//
// All samplers share the key frames. glTF cannot animate the colours of materials, so bodies and the halves of links
// have the colours that identify the bodies.
package gltf

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"math"

	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/space"
)

// Write writes a world to out. It returns the error of out.
func Write(out io.Writer, w *space.World) error {
	f := &file{w: w}
	f.build()
	text, err := json.Marshal(&f.document)
	if err != nil {
		return err
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	const headSize, chunkSize = 12, 8
	u32 := binary.LittleEndian.AppendUint32
	head := append(make([]byte, 0, headSize+chunkSize), "glTF"...)
	head = u32(u32(head, 2), uint32(headSize+chunkSize+len(text)+chunkSize+len(f.bin)))
	head = append(u32(head, uint32(len(text))), "JSON"...)
	for _, part := range [][]byte{head, text, append(u32(nil, uint32(len(f.bin))), "BIN\x00"...), f.bin} {
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// A file collects the parts of a document, which refer to each other by index.
type file struct {
	document
	w   *space.World
	bin []byte

	time      int // accessor of the key frames
	materials map[scene.Color]int
}

// build fills the document and the buffer.
func (f *file) build() {
	w := f.w
	f.Asset = asset{Version: "2.0", Generator: "Whorl", Extras: map[string]any{"title": w.Title, "about": w.About}}
	f.ExtensionsUsed = []string{"KHR_lights_punctual"}
	f.materials = map[scene.Color]int{}
	f.Animations = []animation{{Name: w.Title}}
	f.Scenes = []sceneNodes{{Name: w.Title}}

	keys := make([]float32, w.Frames)
	for i := range keys {
		keys[i] = float32(w.Key(i) * w.Length)
	}
	f.time = f.floats("SCALAR", keys, 0, true)
	f.eye()
	ball, pipe := f.sphere(), f.pipe()
	for i := range w.Bodies {
		f.body(&w.Bodies[i], ball)
	}
	for i := range w.Links {
		f.link(&w.Links[i], pipe)
	}
	f.clock(pipe)
	f.Buffers = []buffer{{ByteLength: len(f.bin)}}
}

// add adds a node to the scene and returns its index.
func (f *file) add(n node) int {
	f.Nodes = append(f.Nodes, n)
	f.Scenes[0].Nodes = append(f.Scenes[0].Nodes, len(f.Nodes)-1)
	return len(f.Nodes) - 1
}

// eye adds the camera, a light from the upper left, and a weak light from the viewer's initial position.
func (f *file) eye() {
	w := f.w
	away := w.Away()
	f.Cameras = []camera{{Type: "perspective", Perspective: perspective{YFov: space.Angle, ZNear: away / 100, ZFar: away * 10}}}
	f.Extensions = &lights{Punctual: punctual{Lights: []light{{Type: "directional", Intensity: 2.5}, {Type: "directional", Intensity: 1}}}}
	first := space.Facing(w.Out, w.Up)
	var position vec3
	for k := range position {
		position[k] = float32(w.Out[k] * away)
	}
	zero, one := 0, 1
	f.add(node{Name: "camera", Camera: &zero, Translation: &position, Rotation: turn(first)})
	f.add(node{Name: "headlight", Rotation: turn(first), Extensions: &lit{lightIndex{&one}}})
	var sun space.Vec
	right := w.Right()
	for k := range sun {
		sun[k] = 0.64*w.Out[k] + 0.6*w.Up[k] - 0.48*right[k]
	}
	f.add(node{Name: "sun", Rotation: turn(space.Facing(sun, w.Up)), Extensions: &lit{lightIndex{&zero}}})
}

func (f *file) body(b *space.Body, ball shape) {
	n := f.add(node{Name: b.Name, Mesh: f.mesh(b.Name, ball.primitive(f.material(b.Own)))})
	sizes := make([]space.Vec, len(b.Radius))
	for i, r := range b.Radius {
		sizes[i] = space.Vec{r, r, r}
	}
	f.moves(n, "translation", b.Centre)
	f.moves(n, "scale", sizes)
}

func (f *file) link(l *space.Link, pipe [2]shape) {
	a, b := &f.w.Bodies[l.A], &f.w.Bodies[l.B]
	name := a.Name + "-" + b.Name
	n := f.add(node{Name: name, Mesh: f.mesh(name, pipe[0].primitive(f.material(a.Own)), pipe[1].primitive(f.material(b.Own)))})
	poses := f.w.Poses(l)
	centres, sizes, turns := make([]space.Vec, len(poses)), make([]space.Vec, len(poses)), make([]space.Turn, len(poses))
	least := 1e-4 * f.w.Reach // a size of 0 has no normals
	for i, p := range poses {
		centres[i], turns[i] = p.Centre, p.Turn
		sizes[i] = space.Vec{max(p.Radius, least), max(p.HalfLength, least), max(p.Radius, least)}
	}
	f.moves(n, "translation", centres)
	f.turns(n, turns)
	f.moves(n, "scale", sizes)
}

// clock adds a disc with a hand that turns once.
func (f *file) clock(pipe [2]shape) {
	w := f.w
	centre, radius := w.Clock()
	facing := space.Facing(w.Out, w.Up)
	face, hand := f.material(w.Ground.Mix(w.Ink, 0.2)), f.material(w.Ink)
	place := vec3{float32(centre[0]), float32(centre[1]), float32(centre[2])}
	r := float32(radius)
	stand := f.add(node{Name: "clock", Translation: &place, Rotation: turn(facing), Scale: &vec3{r, r, r}})
	// The axis of the disc is y; the axis of the clock is z, towards the viewer.
	quarter := space.Turn{math.Sqrt2 / 2, 0, 0, math.Sqrt2 / 2}
	disc := node{Name: "disc", Mesh: f.mesh("disc", f.disc().primitive(face)), Rotation: turn(quarter), Scale: &vec3{1, 0.05, 1}}
	needle := node{Name: "needle", Mesh: f.mesh("needle", pipe[0].primitive(hand), pipe[1].primitive(hand)), Translation: &vec3{0, 0.4, 0.09}, Scale: &vec3{0.035, 0.4, 0.02}}
	first := len(f.Nodes)
	f.Nodes = append(f.Nodes, disc, node{Name: "hand", Children: []int{first + 2}}, needle)
	f.Nodes[stand].Children = []int{first, first + 1}
	turns := make([]space.Turn, w.Frames)
	for i := range turns {
		sin, cos := math.Sincos(-math.Pi * w.Key(i))
		turns[i] = space.Turn{0, 0, sin, cos}
	}
	f.turns(first+1, turns)
}

// moves sets the position or size of a node, and animates it unless it is constant.
func (f *file) moves(n int, path string, v []space.Vec) {
	still := true
	values := make([]float32, 0, 3*len(v))
	for _, p := range v {
		still = still && p == v[0]
		values = append(values, float32(p[0]), float32(p[1]), float32(p[2]))
	}
	if first := vec3(values[:3]); path == "translation" {
		f.Nodes[n].Translation = &first
	} else {
		f.Nodes[n].Scale = &first
	}
	if !still {
		f.animate(n, path, f.floats("VEC3", values, 0, false))
	}
}

// turns sets the rotation of a node, and animates it unless it is constant.
func (f *file) turns(n int, v []space.Turn) {
	still := true
	values := make([]float32, 0, 4*len(v))
	for i, t := range v {
		still = still && t == v[0]
		// Of the two quaternions of a turn, use the one nearer to the last.
		sign := float32(1)
		if i > 0 && float32(t[0])*values[4*i-4]+float32(t[1])*values[4*i-3]+float32(t[2])*values[4*i-2]+float32(t[3])*values[4*i-1] < 0 {
			sign = -1
		}
		values = append(values, sign*float32(t[0]), sign*float32(t[1]), sign*float32(t[2]), sign*float32(t[3]))
	}
	f.Nodes[n].Rotation = turn(v[0])
	if !still {
		f.animate(n, "rotation", f.floats("VEC4", values, 0, false))
	}
}

func (f *file) animate(n int, path string, values int) {
	a := &f.Animations[0]
	a.Samplers = append(a.Samplers, sampler{Input: f.time, Output: values, Interpolation: "LINEAR"})
	a.Channels = append(a.Channels, channel{Sampler: len(a.Samplers) - 1, Target: target{Node: n, Path: path}})
}

// material returns the material of a colour.
func (f *file) material(c scene.Color) int {
	m, ok := f.materials[c]
	if !ok {
		m = len(f.Materials)
		f.materials[c] = m
		var base [4]float32
		for k, v := range [3]uint8{c.R, c.G, c.B} {
			base[k] = float32(palette.Linear(v))
		}
		base[3] = 1
		f.Materials = append(f.Materials, material{Name: c.String(), PBR: pbr{BaseColor: base, Metallic: 0, Roughness: 0.5}})
	}
	return m
}

func (f *file) mesh(name string, primitives ...primitive) *int {
	f.Meshes = append(f.Meshes, mesh{Name: name, Primitives: primitives})
	n := len(f.Meshes) - 1
	return &n
}

func turn(t space.Turn) *vec4 {
	return &vec4{float32(t[0]), float32(t[1]), float32(t[2]), float32(t[3])}
}
