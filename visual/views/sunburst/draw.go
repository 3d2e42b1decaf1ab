package sunburst

import (
	"math"
	"path"
	"strings"
	"unicode/utf8"

	"whorl/visual/layout/partition"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts/shares"
)

// thin is the least length in pixels of an arc that is drawn alone.
const thin = 1

// pieces calls f for each piece of the visible rings, ring by ring.
func (s *sheet) pieces(f func(ring int, inner, outer float64, p partition.Piece)) {
	for ring := range s.g.Shown {
		if s.seen(ring) {
			inner, outer := s.band(ring)
			s.ring(ring, outer, func(p partition.Piece) { f(ring, inner, outer, p) })
		}
	}
}

// ring calls f for each visible piece of a ring with an outer radius.
func (s *sheet) ring(ring int, outer float64, f func(p partition.Piece)) {
	least := thin / (2 * math.Pi * max(outer, 1))
	for _, span := range s.spans[:s.nSpans] {
		s.g.Layout.Pieces(ring, span[0], span[1], least, f)
	}
}

// Base draws the arcs with their names. During a search, all but the matches are pale.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	if g.Shown == 0 {
		g.Nothing(f, out)
		return
	}
	s.pieces(func(ring int, inner, outer float64, p partition.Piece) {
		node := g.Heaviest(p)
		c := g.Colours.Node[node]
		if ring == 0 {
			c = f.Style.Ground.Mix(f.Style.Line, 0.6)
		}
		pale := g.Sought != "" && !shares.Holds(g.Lit, p)
		if pale {
			c = shares.Pale(c, f.Style)
		}
		s.sector(out, inner, outer, p.From, p.To, c)
		if p.End-p.First == 1 {
			s.label(out, ring, p, c, pale)
		}
	})
	if g.Layout.Depth() > g.Shown {
		inner := radius(g.Shown-1) * s.scale
		outer := inner + max(rim*s.scale, 2)
		if outer >= s.near && inner <= s.far {
			s.ring(g.Shown, outer, func(p partition.Piece) {
				s.sector(out, inner+s.gap, outer, p.From, p.To, f.Style.Muted)
			})
		}
	}
}

// label writes the name of an arc into it if it fits: along the ring, across it, or bent along the ring.
func (s *sheet) label(out *scene.List, ring int, p partition.Piece, on scene.Color, pale bool) {
	size := s.Style.Font
	h := s.em // height of a line
	inner, outer := s.band(ring)
	outer -= s.gap
	if outer-inner < h+2 && (p.To-p.From)*2*math.Pi*outer < h+2 {
		return
	}
	style := scene.TextStyle{Size: size, Color: shares.Ink(on), Anchor: scene.Middle, VAlign: scene.Center}
	if pale {
		style.Color = s.Style.Muted
	}
	name := s.g.Name(s.g.Layout.Node[p.First])
	if ring == 0 {
		s.middle(out, name, outer, style)
		return
	}
	mid := (p.From + p.To) / 2
	half := (p.To-p.From)*math.Pi - s.gap/max(inner, 1) // half the angle, in radians
	if half <= 0 {
		return
	}
	if room := s.strip(outer - inner); outer-inner-room >= h+2 { // keep clear of the strip of selected processes
		outer -= room
	}
	along, middle := s.along(inner, outer, half, h)
	across := s.across(inner, outer, half, h)
	bow, circle := 0.0, (inner+outer-0.1*h)/2 // a bent line needs a wider ring
	if outer-inner >= 1.15*h && circle > 2*h {
		bow = 2*half*(circle-h/2) - 0.8*h
	}
	text := s.g.Label(s.Frame, s.g.Layout.Node[p.First], max(along, across, bow))
	if text == "" {
		return
	}
	r, turned := middle, mid*2*math.Pi
	switch w := float64(s.Text.Width(text, size, scene.Regular)); {
	case w <= along:
	case w <= across:
		r, turned = (inner+outer)/2, turned-math.Pi/2
	default:
		s.bow(out, text, circle, mid, style)
		return
	}
	if turned = math.Mod(turned+2*math.Pi, 2*math.Pi); turned > math.Pi/2 && turned < 1.5*math.Pi-1e-9 {
		turned -= math.Pi
	}
	if turned > math.Pi {
		turned -= 2 * math.Pi
	}
	sin, cos := math.Sincos(mid * 2 * math.Pi)
	style.Rotation = float32(turned)
	out.Text(float32(s.x+float64(sin*r)), float32(s.y-float64(cos*r)), text, style)
}

// bow writes a line along a circle around the middle, letter by letter, centred at an angle in turns.
func (s *sheet) bow(out *scene.List, text string, r, mid float64, style scene.TextStyle) {
	width := func(t string) float64 { return float64(s.Text.Width(t, style.Size, style.Face)) }
	side, angle := 1.0, mid*2*math.Pi
	if mid > 0.25 && mid < 0.75 { // in the lower half, letters stand the other way round
		side = -1
	}
	angle -= side * width(text) / 2 / r
	for i, c := range text {
		before, with := width(text[:i]), width(text[:i+utf8.RuneLen(c)])
		turned := angle + side*(before+with)/2/r
		sin, cos := math.Sincos(turned)
		style.Rotation = float32(turned)
		if side < 0 {
			style.Rotation = float32(turned - math.Pi)
		}
		if c != ' ' {
			out.Text(float32(s.x+float64(sin*r)), float32(s.y-float64(cos*r)), string(c), style)
		}
	}
}

// along returns the largest length of a straight line of height h along an arc, and its distance from the middle of the rings. Its ends lie
// within the angle, its outer corners within the ring.
func (s *sheet) along(inner, outer, half, h float64) (room, r float64) {
	pad := 0.15 * h
	low := inner + h/2 + pad
	if low+h/2+pad > outer {
		return 0, 0
	}
	r = (low + (outer - h/2 - pad)) / 2
	edge := r + h/2
	room = 2 * math.Sqrt(max((outer-pad)*(outer-pad)-edge*edge, 0))
	if half < math.Pi/2 {
		room = min(room, 2*(r-h/2)*math.Tan(half)-2*pad)
	}
	if room < 2*h { // there is more room farther inwards
		r = low
		edge = r + h/2
		room = 2 * math.Sqrt(max((outer-pad)*(outer-pad)-edge*edge, 0))
		if half < math.Pi/2 {
			room = min(room, 2*(r-h/2)*math.Tan(half)-2*pad)
		}
	}
	return max(room, 0), r
}

// across returns the largest length of a line of height h in the radial direction of an arc.
func (s *sheet) across(inner, outer, half, h float64) float64 {
	pad := 0.3 * h
	if half < math.Pi/2 { // the inner end must lie within the angle
		inner = max(inner, h/2/math.Tan(half))
	}
	return max(math.Sqrt(max(outer*outer-h*h/4, 0))-inner-2*pad, 0)
}

// middle writes the name and the value of the root into the disc.
func (s *sheet) middle(out *scene.List, name string, radius float64, style scene.TextStyle) {
	style.Color = s.Style.Ink
	line := 1.3 * s.em
	chord := func(y float64) float32 { // at a distance from the middle
		return float32(2*math.Sqrt(max(radius*radius-y*y, 0)) - s.em)
	}
	amount := s.g.Amount(s.g.In[s.g.Root])
	two := chord(line) > float32(4*s.em) && s.Text.Width(amount, style.Size, scene.Regular) <= chord((line+s.em)/2)
	y := 0.0
	if two {
		y = -line / 2
	}
	room := chord(math.Abs(y) + s.em/2)
	if room > float32(1.5*s.em) {
		style.Face = scene.Bold
		short := shares.Shorter(name)
		if s.g.Root == 0 { // the name of a file has no package
			short = []string{name, name[strings.LastIndexByte(name, '/')+1:]}
		}
		program, _, _ := strings.Cut(short[len(short)-1], " ") // the name of a run ends with its arguments
		if short = append(short, program); s.g.Root == 0 {
			short = append(short, strings.TrimSuffix(program, path.Ext(program)))
		}
		for _, n := range short {
			if name = n; s.Text.Width(name, style.Size, style.Face) <= room {
				break
			}
		}
		s.WriteName(out, s.x, s.y+y, name, float64(room), style)
	}
	if two {
		style.Face, style.Color = scene.Regular, s.Style.Muted
		s.Write(out, s.x, s.y+line/2, amount, float64(room), style)
	}
}
