package pdf

import (
	"encoding/binary"
	"fmt"
	"math"

	"whorl/visual/scene"
)

// draw writes an op of a list.
func (d *document) draw(o *scene.Op) {
	switch {
	case o.Kind == scene.OpGroup:
		d.push()
		return
	case o.Kind == scene.OpPop:
		d.pop()
		return
	case o.Kind == scene.OpClip:
		d.push()
		x0, y0, x1, y1 := o.Rect()
		if !o.Finite() {
			x0, y0, x1, y1 = 0, 0, 0, 0
		}
		d.box(x0, y0, x1, y1)
		d.text("W n")
		return
	case !o.Finite():
		return
	case o.Kind == scene.OpMarks:
		d.marks(o)
		return
	case o.Kind == scene.OpMesh:
		d.mesh(o)
		return
	case o.Color.A == 0:
		return
	}
	switch o.Kind {
	case scene.OpRect:
		d.fill(o.Color)
		d.box(o.Rect())
		d.text("f")
	case scene.OpPolyline:
		d.polyline(o)
	case scene.OpPolygon:
		d.fill(o.Color)
		o.Contours(func(points []float32) { d.path(points, true) })
		if _, rule := o.Polygon(); rule == scene.EvenOdd {
			d.text("f*")
		} else {
			d.text("f")
		}
	case scene.OpCircle:
		x, y, r := o.Circle()
		d.fill(o.Color)
		d.arc(float64(x), float64(y), float64(max(r, 0)), 0, 2*math.Pi, "m")
		d.text("f")
	case scene.OpArc:
		d.ring(o)
	case scene.OpText:
		d.label(o)
	}
}

// fill and stroke set a colour.
func (d *document) fill(c scene.Color) {
	if s := d.paint(c, "rg", "cs", "scn"); s != d.state.fill {
		d.state.fill = s
		d.text(s)
	}
	d.alpha(c.A)
}

func (d *document) stroke(c scene.Color) {
	if s := d.paint(c, "RG", "CS", "SCN"); s != d.state.stroke {
		d.state.stroke = s
		d.text(s)
	}
	d.alpha(c.A)
}

// paint returns the operators that set a colour or a pattern.
func (d *document) paint(c scene.Color, plain, space, pattern string) string {
	if c.Pattern == scene.Plain {
		return fmt.Sprintf("%s %s", channels(c), plain)
	}
	opaque := c.Alpha(255)
	return "/Pattern " + space + " " + d.resource(patterns, opaque.String(), func() string { return d.tiling(opaque) }) + " " + pattern
}

func channels(c scene.Color) string {
	return fmt.Sprintf("%s %s %s", number(float64(c.R)/255), number(float64(c.G)/255), number(float64(c.B)/255))
}

// alpha sets the opacity of the shapes that follow.
func (d *document) alpha(a uint8) {
	v := number(float64(a) / 255)
	if v == "1" && d.state.alpha == "" {
		return
	}
	name := d.resource(alphas, v, func() string { return "<</ca " + v + "/CA " + v + ">>" })
	if name != d.state.alpha {
		d.state.alpha = name
		d.text(name + " gs")
	}
}

// tiling adds the pattern of a colour.
func (d *document) tiling(c scene.Color) string {
	t := c.Pattern.Tile()
	p := &document{}
	side := float64(t.Side)
	p.text(channels(c) + " rg")
	p.op("re", 0, 0, side, side)
	p.text("f")
	p.text(channels(c.Tone()) + " RG")
	p.op("w", float64(t.Width))
	for _, l := range t.Lines {
		p.path(l[:], false)
		p.text("S")
	}
	p.text("1 J")
	p.op("w", float64(2*t.Radius))
	for _, dot := range t.Dots {
		p.path([]float32{dot[0], dot[1], dot[0], dot[1]}, false)
		p.text("S")
	}
	entries := fmt.Sprintf("/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 %[1]s %[1]s]/XStep %[1]s/YStep %[1]s/Resources<<>>/Matrix[%s 0 0 %s 0 %s]",
		number(side), number(d.scale), number(-d.scale), number(d.opt.Height))
	return d.add(stream(entries, p.b))
}

func (d *document) box(x0, y0, x1, y1 float32) {
	d.op("re", float64(min(x0, x1)), float64(min(y0, y1)), math.Abs(float64(x1-x0)), math.Abs(float64(y1-y0)))
}

// path writes a contour.
func (d *document) path(points []float32, closed bool) {
	op := "m"
	for ; len(points) > 1; points = points[2:] {
		d.op(op, float64(points[0]), float64(points[1]))
		op = "l"
	}
	if closed {
		d.text("h")
	}
}

func (d *document) polyline(o *scene.Op) {
	points, s := o.Polyline()
	if len(points) == 0 || !(s.Width > 0) {
		return
	}
	if len(points) == 2 {
		points = append(points, points...)
	}
	d.push()
	d.stroke(s.Color)
	d.op("w", float64(s.Width))
	d.text([...]string{scene.ButtCap: "0", scene.RoundCap: "1", scene.SquareCap: "2"}[s.Cap] + " J")
	d.text([...]string{scene.RoundJoin: "1", scene.MiterJoin: "0"}[s.Join] + " j")
	if len(s.Dash) > 0 {
		d.b = append(d.b, '[')
		for _, v := range s.Dash {
			d.b = append(appendNumber(d.b, max(float64(v), 0.01)), ' ')
		}
		d.text("] " + number(float64(s.Phase)) + " d")
	}
	d.path(points, s.Closed)
	d.text("S")
	d.pop()
}

// arc writes an arc from angle a to b as curves of at most a quarter of a circle. start is the operator that leads to its first point.
func (d *document) arc(x, y, r, a, b float64, start string) {
	sin, cos := math.Sincos(a)
	d.op(start, x+r*cos, y+r*sin)
	n := math.Ceil(math.Abs(b-a)/(math.Pi/2) - 1e-6)
	step := (b - a) / max(n, 1)
	k := r * 4 / 3 * math.Tan(step/4)
	for i := 0.0; i < n; i++ {
		sin0, cos0 := math.Sincos(a + i*step)
		sin1, cos1 := math.Sincos(a + (i+1)*step)
		d.op("c", x+r*cos0-k*sin0, y+r*sin0+k*cos0, x+r*cos1+k*sin1, y+r*sin1-k*cos1, x+r*cos1, y+r*sin1)
	}
}

// ring writes a sector between two radii.
func (d *document) ring(o *scene.Op) {
	fx, fy, in, out, from, sweep := o.Arc()
	x, y, inner, outer := float64(fx), float64(fy), float64(max(min(in, out), 0)), float64(max(in, out))
	if !(outer > 0) {
		return
	}
	d.fill(o.Color)
	a, b := float64(from), float64(from)+float64(sweep)
	second := "l"
	if math.Abs(float64(sweep)) >= 2*math.Pi {
		a, b, second = 0, 2*math.Pi, "m"
	}
	d.arc(x, y, outer, a, b, "m")
	switch {
	case inner > 0:
		d.arc(x, y, inner, b, a, second)
	case second == "l":
		d.op("l", x, y)
	}
	d.text("h f*")
}

// marks writes small shapes of one size.
func (d *document) marks(o *scene.Op) {
	shape, size, points := o.Marks()
	if !(size > 0) {
		return
	}
	h, t := size/2, size/6
	outlines := [...][]float32{
		scene.Square:   {-h, -h, h, -h, h, h, -h, h},
		scene.Diamond:  {0, -h, h, 0, 0, h, -h, 0},
		scene.Triangle: {0, -h, h, h, -h, h},
		scene.Cross:    {-t, -h, t, -h, t, -t, h, -t, h, t, t, t, t, h, -t, h, -t, t, -h, t, -h, -t, -t, -t},
	}
	for i := range len(points) / 2 {
		c, x, y := o.ColorAt(i), points[2*i], points[2*i+1]
		if c.A == 0 {
			continue
		}
		d.fill(c)
		if shape == scene.Disc {
			d.arc(float64(x), float64(y), float64(h), 0, 2*math.Pi, "m")
		} else {
			moved := make([]float32, len(outlines[shape]))
			for k, v := range outlines[shape] {
				moved[k] = v + [2]float32{x, y}[k%2]
			}
			d.path(moved, true)
		}
		d.text("f")
	}
}

// mesh writes triangles as a shading, with 32 bits for each coordinate.
func (d *document) mesh(o *scene.Op) {
	points := o.Mesh()
	if len(points) < 6 {
		return
	}
	far := 4 * max(d.w, d.h)
	coordinate := func(v float32) uint32 {
		return uint32(min(max((float64(v)+far)/(2*far), 0), 1) * math.MaxUint32)
	}
	var data []byte
	for i := range len(points) / 6 * 3 {
		c := o.ColorAt(i)
		data = append(data, 0)
		data = binary.BigEndian.AppendUint32(data, coordinate(points[2*i]))
		data = binary.BigEndian.AppendUint32(data, coordinate(points[2*i+1]))
		data = append(data, c.R, c.G, c.B)
	}
	entries := fmt.Sprintf("/ShadingType 4/ColorSpace/DeviceRGB/BitsPerCoordinate 32/BitsPerComponent 8/BitsPerFlag 8/Decode[%[1]s %[2]s %[1]s %[2]s 0 1 0 1 0 1]",
		number(-far), number(far))
	name := d.resource(shadings, fmt.Sprint(len(d.objects)), func() string { return d.add(stream(entries, data)) })
	d.alpha(o.ColorAt(0).A)
	d.text(name + " sh")
}
