package vrml

import (
	"bytes"
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"whorl/visual/scene"
	"whorl/visual/space"
)

// A notation writes the nodes of a scene.
type notation interface {
	node(kind, name string, fields ...field)     // a standard node
	instance(kind, name string, fields ...field) // an instance of a prototype of the head
	route(from, event, to, field string)
	soundFields(times [][]byte) []field // fields of the prototype Voice; times alternates begins and ends of sounds
}

// A field is a field of a node: its name and its value.
type field struct {
	name  string
	texts []string // strings, if value is nil
	value []byte   // numbers separated by spaces, or a truth value
	many  bool     // the type has any number of values
}

// A writer writes a world with no more digits than a viewer can show.
type writer struct {
	*space.World
	n     notation
	clock string // name of the clock node

	places int // decimals of positions and sizes
	keys   int // decimals of times
}

// Tolerances below what a picture of a thousand pixels shows.
const (
	nearly   = 1. / 500 // of positions and sizes, as a fraction of the reach
	slightly = 0.01     // of turns, in radians
	faintly  = 8        // of colours, from 0 to 255
)

// across is the number of characters that fit on a body. Longer names are written smaller.
const across = 3

func newWriter(w *space.World, n notation) *writer {
	s := &writer{World: w, n: n, clock: "Clock", keys: 4}
	s.places = max(int(math.Ceil(-math.Log10(nearly/2*w.Reach))), 1)
	if w.Frames > 501 {
		s.keys = 5
	}
	return s
}

// all writes the nodes of the world, which follow the head.
func (s *writer) all() {
	s.surroundings()
	for i := range s.Bodies {
		s.body(i, &s.Bodies[i])
	}
	for i := range s.Links {
		s.link(i, &s.Links[i])
	}
	for i := range s.Voices {
		s.voice(i, &s.Voices[i])
	}
}

// surroundings writes the background, the light, the viewpoints and the clock.
func (s *writer) surroundings() {
	s.n.node("WorldInfo", "", word("title", s.Title), words("info", s.About...))
	s.n.node("Background", "", field{name: "skyColor", value: color(nil, s.Ground), many: true})
	s.n.node("NavigationInfo", "", words("type", "EXAMINE", "ANY"))
	right := s.Right()
	var down space.Vec // direction of the light
	for k := range down {
		down[k] = 0.48*right[k] - 0.6*s.Up[k] - 0.64*s.Out[k]
	}
	s.n.node("DirectionalLight", "", s.vec("direction", down), number("intensity", 0.4, 1), number("ambientIntensity", 0.3, 1))
	s.view("Start", s.Out, s.Up)
	s.view("Front", space.Vec{0, 0, 1}, space.Vec{0, 1, 0})
	s.view("Side", space.Vec{1, 0, 0}, space.Vec{0, 1, 0})
	s.view("Top", space.Vec{0, 1, 0}, space.Vec{0, 0, -1})
	centre, radius := s.Clock()
	face := s.Ground.Mix(s.Ink, 0.2)
	s.n.instance("Clock", s.clock,
		s.vec("place", centre), s.size("size", radius), tint("face", face), tint("ink", s.Ink), words("label", s.Span), number("length", s.Length, 3))
}

func (s *writer) view(name string, out, up space.Vec) {
	axis, angle := space.Facing(out, up).Axis()
	position := out
	for k := range position {
		position[k] *= s.Away()
	}
	s.n.node("Viewpoint", "",
		word("description", name), s.vec("position", position), field{name: "orientation", value: s.turn(nil, axis, angle)}, number("fieldOfView", space.Angle, 2))
}

func (s *writer) body(i int, b *space.Body) {
	name := "B" + strconv.Itoa(i)
	fields := []field{s.vec("place", b.Centre[0]), s.size("size", b.Radius[0]), tint("color", b.Color[0])}
	if b.Label {
		fields = append(fields, words("label", b.Name), tint("ink", ink(b.Color)))
		if n := utf8.RuneCountInString(b.Name); n > across {
			fit := appendNumber(nil, float64(across)/float64(n), 3)
			fields = append(fields, field{name: "fit", value: bytes.Join([][]byte{fit, fit, fit}, []byte(" "))})
		}
	}
	s.n.instance("Body", name, fields...)
	s.moves(name, "place", b.Centre, nil)
	sizes := make([]space.Vec, len(b.Radius))
	for k, r := range b.Radius {
		sizes[k] = space.Vec{r, r, r}
	}
	s.moves(name, "size", sizes, nil)
	s.changes(name, "color", b.Color)
}

func (s *writer) link(i int, l *space.Link) {
	name := "L" + strconv.Itoa(i)
	poses := s.Poses(l)
	centres, turns, sizes := make([]space.Vec, len(poses)), make([]space.Turn, len(poses)), make([]space.Vec, len(poses))
	least := math.Pow10(-s.places) // sizes must be positive
	for k, p := range poses {
		centres[k], turns[k] = p.Centre, p.Turn
		sizes[k] = space.Vec{max(p.Radius, least), max(p.HalfLength, least), max(p.Radius, least)}
	}
	axis, angle := turns[0].Axis()
	s.n.instance("Link", name, s.vec("place", centres[0]), field{name: "turn", value: s.turn(nil, axis, angle)}, s.vec("size", sizes[0]), tint("first", l.Color[0][0]), tint("second", l.Color[1][0]))
	s.moves(name, "place", centres, l.Radius)
	s.turns(name, "turn", turns, l.Radius)
	s.moves(name, "size", sizes, nil)
	s.changes(name, "first", l.Color[0])
	s.changes(name, "second", l.Color[1])
}

// voice writes a voice that sounds from the positions of its bodies. Between two sounds it moves from one body to the
// next, and its pitch changes at the end of the first.
func (s *writer) voice(i int, v *space.Voice) {
	if len(v.Sounds) == 0 {
		return
	}
	name := "V" + strconv.Itoa(i)
	var times [][]byte
	var keys, places, steps, pitches []byte
	several := false
	for k, sound := range v.Sounds {
		several = several || sound.Pitch != v.Sounds[0].Pitch
		for _, part := range [2]float64{sound.From, sound.To} {
			if len(times) > 0 {
				keys, places, steps, pitches = append(keys, ' '), append(places, ' '), append(steps, ' '), append(pitches, ' ')
			}
			key := appendNumber(nil, part, s.keys+1)
			times = append(times, key)
			keys, places = append(keys, key...), s.triple(places, s.Place(sound.Body, part))
			steps, pitches = append(steps, key...), appendNumber(pitches, sound.Pitch, 3)
		}
		if k+1 < len(v.Sounds) {
			steps, pitches = append(append(steps, ' '), times[len(times)-1]...), appendNumber(append(pitches, ' '), v.Sounds[k+1].Pitch, 3)
		}
	}
	fields := append([]field{
		s.vec("place", s.Place(v.Sounds[0].Body, v.Sounds[0].From)), number("pitch", v.Sounds[0].Pitch, 3), number("near", s.Away(), 2), number("far", 8*s.Away(), 2),
	}, s.n.soundFields(times)...)
	s.n.instance("Voice", name, append(fields, words("url", "data:audio/wav;base64,"+base64.StdEncoding.EncodeToString(v.Clip)))...)
	s.interpolate("PositionInterpolator", name, "place", keys, places)
	if several {
		s.interpolate("ScalarInterpolator", name, "pitch", steps, pitches)
	}
	s.n.route(s.clock, "fraction_changed", name, "set_fraction")
}

// moves animates a position or size of a node. It is invisible where seen is 0; seen may be nil.
func (s *writer) moves(name, property string, v []space.Vec, seen []float64) {
	s.track("PositionInterpolator", name, property, space.VecKeys(v, nearly*s.Reach, seen), func(b []byte, frame int) []byte { return s.triple(b, v[frame]) })
}

func (s *writer) turns(name, property string, v []space.Turn, seen []float64) {
	s.track("OrientationInterpolator", name, property, space.TurnKeys(v, slightly, seen), func(b []byte, frame int) []byte {
		axis, angle := v[frame].Axis()
		return s.turn(b, axis, angle)
	})
}

func (s *writer) changes(name, property string, v []scene.Color) {
	s.track("ColorInterpolator", name, property, space.ColorKeys(v, faintly), func(b []byte, frame int) []byte { return color(b, v[frame]) })
}

// track writes an interpolator between frames, and its routes, unless there is only one frame.
func (s *writer) track(kind, name, property string, frames []int, value func(b []byte, frame int) []byte) {
	if len(frames) < 2 {
		return
	}
	var keys, values []byte
	for k, frame := range frames {
		if k > 0 {
			keys, values = append(keys, ' '), append(values, ' ')
		}
		keys = appendNumber(keys, s.Key(frame), s.keys)
		values = value(values, frame)
	}
	s.interpolate(kind, name, property, keys, values)
}

// interpolate writes an interpolator driven by the clock, with the routes to the field of the node.
func (s *writer) interpolate(kind, name, property string, keys, values []byte) {
	by := name + "_" + property
	s.n.node(kind, by, field{name: "key", value: keys, many: true}, field{name: "keyValue", value: values, many: true})
	s.n.route(s.clock, "fraction_changed", by, "set_fraction")
	s.n.route(by, "value_changed", name, property)
}

func word(name, text string) field { return field{name: name, texts: []string{text}} }

func words(name string, texts ...string) field { return field{name: name, texts: texts, many: true} }

func number(name string, v float64, decimals int) field {
	return field{name: name, value: appendNumber(nil, v, decimals)}
}

func tint(name string, c scene.Color) field { return field{name: name, value: color(nil, c)} }

func (s *writer) vec(name string, v space.Vec) field {
	return field{name: name, value: s.triple(nil, v)}
}

func (s *writer) size(name string, r float64) field { return s.vec(name, space.Vec{r, r, r}) }

func (s *writer) triple(b []byte, v space.Vec) []byte {
	b = append(appendNumber(b, v[0], s.places), ' ')
	b = append(appendNumber(b, v[1], s.places), ' ')
	return appendNumber(b, v[2], s.places)
}

func (s *writer) turn(b []byte, axis space.Vec, angle float64) []byte {
	for _, v := range axis {
		b = append(appendNumber(b, v, 3), ' ')
	}
	return appendNumber(b, angle, 3)
}

func color(b []byte, c scene.Color) []byte {
	b = append(appendNumber(b, float64(c.R)/255, 2), ' ')
	b = append(appendNumber(b, float64(c.G)/255, 2), ' ')
	return appendNumber(b, float64(c.B)/255, 2)
}

// appendNumber appends a number with the given number of decimals, without redundant zeros: .5, -3, 0.
func appendNumber(b []byte, v float64, decimals int) []byte {
	from := len(b)
	b = strconv.AppendFloat(b, v, 'f', decimals, 64)
	if decimals > 0 {
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
		if b[len(b)-1] == '.' {
			b = b[:len(b)-1]
		}
	}
	switch n := b[from:]; {
	case len(n) == 2 && n[0] == '-' && n[1] == '0':
		return append(b[:from], '0')
	case len(n) > 2 && n[0] == '0':
		return append(b[:from], n[1:]...)
	case len(n) > 3 && n[0] == '-' && n[1] == '0':
		return append(b[:from+1], n[2:]...)
	}
	return b
}

// ink returns black or white, whichever contrasts with more of the colours.
func ink(colors []scene.Color) scene.Color {
	light := 0
	for _, c := range colors {
		if int(c.R)*3+int(c.G)*6+int(c.B) > 1300 {
			light++
		}
	}
	if 2*light > len(colors) {
		return scene.Hex(0x101418)
	}
	return scene.Hex(0xffffff)
}
