// Package gltf writes worlds as glTF 2.0 in one binary file (Khronos, "glTF 2.0 Specification", 2021; ISO/IEC 12113): a node for each body and
// each link, which an animation moves, a camera and two lights.
//
// All samplers have the same key frames. The colours of materials cannot be animated, so bodies and the halves of links have those that say
// which body it is.
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

// Write writes a world. An error is that of out.
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

// A file is made piece by piece; the pieces refer to each other by their places in the lists.
type file struct {
	document
	w   *space.World
	bin []byte

	time      int // the accessor of the key frames
	materials map[scene.Color]int
}

// build fills the lists.
func (f *file) build() {
	w := f.w
	f.Asset = asset{Version: "2.0", Generator: "Whorl", Extras: map[string]any{"title": w.Title, "about": w.About}}
	f.ExtensionsUsed = []string{"KHR_lights_punctual"}
	f.materials = map[scene.Color]int{}
	f.Animations = []animation{{Name: w.Title}}
	f.Scenes = []sceneOf{{Name: w.Title}}

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

// add puts a node into the scene.
func (f *file) add(n node) int {
	f.Nodes = append(f.Nodes, n)
	f.Scenes[0].Nodes = append(f.Scenes[0].Nodes, len(f.Nodes)-1)
	return len(f.Nodes) - 1
}

// eye is the camera and what lights the bodies: from the upper left, and weakly from where the viewer stands at first.
func (f *file) eye() {
	w := f.w
	away := w.Away()
	f.Cameras = []camera{{Type: "perspective", Perspective: perspective{YFov: space.Angle, ZNear: away / 100, ZFar: away * 10}}}
	f.Extensions = &lights{Punctual: punctual{Lights: []light{{Type: "directional", Intensity: 2.5}, {Type: "directional", Intensity: 1}}}}
	first := space.Facing(w.Out, w.Up)
	var at vec3
	for k := range at {
		at[k] = float32(w.Out[k] * away)
	}
	zero, one := 0, 1
	f.add(node{Name: "camera", Camera: &zero, Translation: &at, Rotation: turn(first)})
	f.add(node{Name: "headlight", Rotation: turn(first), Extensions: &lit{light0{&one}}})
	var sun space.Vec
	right := w.Right()
	for k := range sun {
		sun[k] = 0.64*w.Out[k] + 0.6*w.Up[k] - 0.48*right[k]
	}
	f.add(node{Name: "sun", Rotation: turn(space.Facing(sun, w.Up)), Extensions: &lit{light0{&zero}}})
}

func (f *file) body(b *space.Body, ball shape) {
	n := f.add(node{Name: b.Name, Mesh: f.mesh(b.Name, ball.primitive(f.material(b.Own)))})
	sizes := make([]space.Vec, len(b.Round))
	for i, r := range b.Round {
		sizes[i] = space.Vec{r, r, r}
	}
	f.moves(n, "translation", b.At)
	f.moves(n, "scale", sizes)
}

func (f *file) link(l *space.Link, pipe [2]shape) {
	a, b := &f.w.Bodies[l.A], &f.w.Bodies[l.B]
	name := a.Name + "-" + b.Name
	n := f.add(node{Name: name, Mesh: f.mesh(name, pipe[0].primitive(f.material(a.Own)), pipe[1].primitive(f.material(b.Own)))})
	poses := f.w.Poses(l)
	at, sizes, turns := make([]space.Vec, len(poses)), make([]space.Vec, len(poses)), make([]space.Turn, len(poses))
	least := 1e-4 * f.w.Reach // what has no size at all has no normals
	for i, p := range poses {
		at[i], turns[i] = p.At, p.Turn
		sizes[i] = space.Vec{max(p.Width, least), max(p.Tall, least), max(p.Width, least)}
	}
	f.moves(n, "translation", at)
	f.turns(n, turns)
	f.moves(n, "scale", sizes)
}

// clock is a disc with a hand that goes round once.
func (f *file) clock(pipe [2]shape) {
	w := f.w
	at, round := w.Clock()
	facing := space.Facing(w.Out, w.Up)
	face, hand := f.material(w.Ground.Mix(w.Ink, 0.2)), f.material(w.Ink)
	place := vec3{float32(at[0]), float32(at[1]), float32(at[2])}
	r := float32(round)
	stand := f.add(node{Name: "clock", Translation: &place, Rotation: turn(facing), Scale: &vec3{r, r, r}})
	// The axis of the disc is y, and that of the clock, towards the viewer, is z.
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

// moves has a node's place or size change over time, or gives it the one that it always has.
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

// turns does that with its direction.
func (f *file) turns(n int, v []space.Turn) {
	still := true
	values := make([]float32, 0, 4*len(v))
	for i, t := range v {
		still = still && t == v[0]
		// Of the two quaternions of a turn the one that is nearer to the last.
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

// material is that of a colour.
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

func (f *file) mesh(name string, of ...primitive) *int {
	f.Meshes = append(f.Meshes, mesh{Name: name, Primitives: of})
	n := len(f.Meshes) - 1
	return &n
}

func turn(t space.Turn) *vec4 {
	return &vec4{float32(t[0]), float32(t[1]), float32(t[2]), float32(t[3])}
}
