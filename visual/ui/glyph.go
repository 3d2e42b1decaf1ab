package ui

import "whorl/visual/scene"

// A Glyph is an icon, drawn with lines on a grid of 16 by 16.
type Glyph uint8

// The icons.
const (
	NoGlyph Glyph = iota
	PlayGlyph
	PauseGlyph
	StopGlyph
	StepGlyph
	BackGlyph
	StartGlyph
	EndGlyph
	PlusGlyph
	MinusGlyph
	CloseGlyph
	CheckGlyph
	DownGlyph
	UpGlyph
	LeftGlyph
	RightGlyph
	MenuGlyph
	MoreGlyph
	FitGlyph
	ZoomInGlyph
	ZoomOutGlyph
	SearchGlyph
	OpenGlyph
	SaveGlyph
	DownloadGlyph
	UndoGlyph
	RedoGlyph
	ReloadGlyph
	SettingsGlyph
	SunGlyph
	MoonGlyph
	ColumnsGlyph
	RowsGlyph
	CopyGlyph
	PencilGlyph
	NoteGlyph
	TrashGlyph
	HelpGlyph
	InfoGlyph
	WarningGlyph
	FailureGlyph
	CompareGlyph
	LinkGlyph
	TableGlyph
	CodeGlyph
	ChartGlyph
	WheelGlyph
	SoundGlyph
	ForkGlyph
	PeaksGlyph
	NestGlyph
	NumGlyphs = iota
)

// A stroke is one line of an icon, or a filled polygon. Circles are given by their centre and radius.
type stroke struct {
	points []float32
	closed bool
	fill   bool
	circle bool
}

func line(p ...float32) stroke  { return stroke{points: p} }
func loop(p ...float32) stroke  { return stroke{points: p, closed: true} }
func solid(p ...float32) stroke { return stroke{points: p, fill: true} }
func ring(p ...float32) stroke  { return stroke{points: p, circle: true} }
func dot(p ...float32) stroke   { return stroke{points: p, circle: true, fill: true} }
func of(s ...stroke) []stroke   { return s }

var glyphs = [NumGlyphs][]stroke{
	PlayGlyph:     of(solid(4.5, 2.5, 13.5, 8, 4.5, 13.5)),
	PauseGlyph:    of(solid(4, 3, 6.5, 3, 6.5, 13, 4, 13), solid(9.5, 3, 12, 3, 12, 13, 9.5, 13)),
	StopGlyph:     of(solid(3.5, 3.5, 12.5, 3.5, 12.5, 12.5, 3.5, 12.5)),
	StepGlyph:     of(solid(3, 3, 10, 8, 3, 13), solid(11, 3, 13, 3, 13, 13, 11, 13)),
	BackGlyph:     of(solid(13, 3, 6, 8, 13, 13), solid(3, 3, 5, 3, 5, 13, 3, 13)),
	StartGlyph:    of(line(3, 3, 3, 13), line(12, 3.5, 6.5, 8, 12, 12.5)),
	EndGlyph:      of(line(13, 3, 13, 13), line(4, 3.5, 9.5, 8, 4, 12.5)),
	PlusGlyph:     of(line(8, 3, 8, 13), line(3, 8, 13, 8)),
	MinusGlyph:    of(line(3, 8, 13, 8)),
	CloseGlyph:    of(line(4.5, 4.5, 11.5, 11.5), line(11.5, 4.5, 4.5, 11.5)),
	CheckGlyph:    of(line(3, 8.5, 6.5, 12, 13, 4.5)),
	DownGlyph:     of(line(4.5, 6.5, 8, 10, 11.5, 6.5)),
	UpGlyph:       of(line(4.5, 9.5, 8, 6, 11.5, 9.5)),
	LeftGlyph:     of(line(9.5, 4.5, 6, 8, 9.5, 11.5)),
	RightGlyph:    of(line(6.5, 4.5, 10, 8, 6.5, 11.5)),
	MenuGlyph:     of(line(2.5, 4, 13.5, 4), line(2.5, 8, 13.5, 8), line(2.5, 12, 13.5, 12)),
	MoreGlyph:     of(dot(3.5, 8, 1.2), dot(8, 8, 1.2), dot(12.5, 8, 1.2)),
	FitGlyph:      of(line(2.5, 6, 2.5, 2.5, 6, 2.5), line(10, 2.5, 13.5, 2.5, 13.5, 6), line(13.5, 10, 13.5, 13.5, 10, 13.5), line(6, 13.5, 2.5, 13.5, 2.5, 10)),
	ZoomInGlyph:   of(ring(7, 7, 4.5), line(10.4, 10.4, 14, 14), line(5, 7, 9, 7), line(7, 5, 7, 9)),
	ZoomOutGlyph:  of(ring(7, 7, 4.5), line(10.4, 10.4, 14, 14), line(5, 7, 9, 7)),
	SearchGlyph:   of(ring(7, 7, 4.5), line(10.4, 10.4, 14, 14)),
	OpenGlyph:     of(line(2.5, 13, 2.5, 3, 6.5, 3, 8, 5, 12.5, 5, 12.5, 7), loop(2.5, 13, 4.5, 7, 14.5, 7, 12.5, 13)),
	SaveGlyph:     of(loop(2.5, 2.5, 11, 2.5, 13.5, 5, 13.5, 13.5, 2.5, 13.5), line(5, 2.5, 5, 6, 10, 6, 10, 2.5), line(4.5, 13.5, 4.5, 9.5, 11.5, 9.5, 11.5, 13.5)),
	DownloadGlyph: of(line(8, 2.5, 8, 10), line(4.5, 7, 8, 10.5, 11.5, 7), line(2.5, 13.5, 13.5, 13.5)),
	UndoGlyph:     of(line(6, 3, 2.5, 6.5, 6, 10), line(2.5, 6.5, 10, 6.5, 12.5, 7.6, 13.5, 9.75, 12.5, 11.9, 10, 13, 7, 13)),
	RedoGlyph:     of(line(10, 3, 13.5, 6.5, 10, 10), line(13.5, 6.5, 6, 6.5, 3.5, 7.6, 2.5, 9.75, 3.5, 11.9, 6, 13, 9, 13)),
	ReloadGlyph:   of(line(13, 8, 12.3, 10.5, 10.5, 12.3, 8, 13, 5.5, 12.3, 3.7, 10.5, 3, 8, 3.7, 5.5, 5.5, 3.7, 8, 3, 10.5, 3.7, 12.5, 5.6), line(13, 2.5, 13, 6, 9.5, 6)),
	SettingsGlyph: of(line(2.5, 4.5, 8, 4.5), line(12, 4.5, 13.5, 4.5), ring(10, 4.5, 1.8), line(2.5, 11.5, 4, 11.5), line(8, 11.5, 13.5, 11.5), ring(6, 11.5, 1.8)),
	SunGlyph: of(ring(8, 8, 2.8), line(8, 1.5, 8, 3), line(8, 13, 8, 14.5), line(1.5, 8, 3, 8), line(13, 8, 14.5, 8),
		line(3.4, 3.4, 4.4, 4.4), line(11.6, 11.6, 12.6, 12.6), line(3.4, 12.6, 4.4, 11.6), line(11.6, 4.4, 12.6, 3.4)),
	MoonGlyph:    of(loop(6.5, 2.5, 5.2, 5, 5.4, 7.6, 6.9, 9.7, 9.3, 10.9, 11.8, 10.7, 13.5, 9.7, 12.4, 11.9, 10.4, 13.3, 7.8, 13.6, 5.2, 12.7, 3.3, 10.8, 2.5, 8.2, 2.9, 5.6, 4.3, 3.6)),
	ColumnsGlyph: of(loop(2.5, 3, 13.5, 3, 13.5, 13, 2.5, 13), line(8, 3, 8, 13)),
	RowsGlyph:    of(loop(2.5, 3, 13.5, 3, 13.5, 13, 2.5, 13), line(2.5, 8, 13.5, 8)),
	CopyGlyph:    of(loop(5.5, 5.5, 13.5, 5.5, 13.5, 13.5, 5.5, 13.5), line(10.5, 2.5, 2.5, 2.5, 2.5, 10.5)),
	PencilGlyph:  of(loop(2.5, 13.5, 3.3, 10.2, 10.5, 3, 13, 5.5, 5.8, 12.7), line(8.8, 4.7, 11.3, 7.2)),
	NoteGlyph:    of(loop(2.5, 3, 13.5, 3, 13.5, 11, 8, 11, 5, 13.8, 5, 11, 2.5, 11), line(5.5, 6, 10.5, 6), line(5.5, 8.2, 9, 8.2)),
	TrashGlyph:   of(line(2.5, 4.5, 13.5, 4.5), line(6, 4.5, 6, 2.5, 10, 2.5, 10, 4.5), line(4, 4.5, 4.6, 13.5, 11.4, 13.5, 12, 4.5), line(6.8, 7, 6.8, 11), line(9.2, 7, 9.2, 11)),
	HelpGlyph:    of(ring(8, 8, 6), line(6, 6.5, 6.4, 5.3, 7.4, 4.6, 8.7, 4.6, 9.7, 5.3, 10, 6.4, 9.4, 7.5, 8.4, 8.2, 8, 9.2), dot(8, 11.4, 0.9)),
	InfoGlyph:    of(ring(8, 8, 6), line(8, 7.5, 8, 11.2), dot(8, 5, 0.95)),
	WarningGlyph: of(loop(8, 2.2, 14.2, 13.3, 1.8, 13.3), line(8, 6.4, 8, 9.4), dot(8, 11.4, 0.9)),
	FailureGlyph: of(ring(8, 8, 6), line(8, 4.6, 8, 8.8), dot(8, 11.2, 0.95)),
	CompareGlyph: of(loop(2, 4, 6.5, 4, 6.5, 12, 2, 12), loop(9.5, 4, 14, 4, 14, 12, 9.5, 12), line(8, 2, 8, 14)),
	LinkGlyph:    of(ring(4.8, 8, 2.6), ring(11.2, 8, 2.6), line(6.2, 8, 9.8, 8)),
	TableGlyph:   of(loop(2.5, 3, 13.5, 3, 13.5, 13, 2.5, 13), line(2.5, 6.5, 13.5, 6.5), line(6.5, 6.5, 6.5, 13)),
	CodeGlyph:    of(line(5.5, 4.5, 2, 8, 5.5, 11.5), line(10.5, 4.5, 14, 8, 10.5, 11.5), line(9, 3.5, 7, 12.5)),
	ChartGlyph:   of(line(2.5, 2.5, 2.5, 13.5, 13.5, 13.5), line(5, 10.5, 7.5, 6.5, 10, 8.5, 13, 3.5)),
	WheelGlyph:   of(ring(8, 8, 6), ring(8, 8, 2.2), line(8, 2, 8, 5.8), line(2.8, 11, 6.1, 9.1), line(13.2, 11, 9.9, 9.1)),
	ForkGlyph:    of(line(8, 2, 8, 14), line(8, 4.5, 3, 4.5, 3, 11.5, 8, 11.5), line(8, 6.5, 12.5, 6.5, 12.5, 9.5, 8, 9.5)),
	PeaksGlyph:   of(line(2, 13.5, 6, 4.5, 8.5, 9.5, 10.5, 6.5, 14, 13.5), line(2, 13.5, 14, 13.5)),
	NestGlyph:    of(loop(2.5, 2.5, 13.5, 2.5, 13.5, 13.5, 2.5, 13.5), loop(5, 5, 11.5, 5, 11.5, 10.5, 5, 10.5), line(7, 7.8, 9.5, 7.8)),
	SoundGlyph:   of(solid(2, 6, 4.5, 6, 8, 3, 8, 13, 4.5, 10, 2, 10), line(10.3, 5.8, 11.2, 8, 10.3, 10.2), line(12.2, 3.9, 13.8, 8, 12.2, 12.1)),
}

// Glyph draws an icon in the middle of r. A zero colour is Ink.
func (c *Context) Glyph(r Rect, g Glyph, col scene.Color) {
	if int(g) >= len(glyphs) || r.Empty() {
		return
	}
	if col == (scene.Color{}) {
		col = c.Theme.Ink
	}
	side := min(c.Px(Icon), r.W(), r.H())
	k := side / 16
	x, y := whole((r.X0+r.X1-side)/2), whole((r.Y0+r.Y1-side)/2)
	width := max(1.4*k, 1)
	var buf [32]float32
	for _, s := range glyphs[g] {
		if s.circle {
			cx, cy, radius := x+s.points[0]*k, y+s.points[1]*k, s.points[2]*k
			if s.fill {
				c.out.Circle(cx, cy, radius, col)
			} else {
				c.out.Ring(cx, cy, radius, width, col)
			}
			continue
		}
		p := buf[:0]
		for i, v := range s.points {
			o := x
			if i&1 == 1 {
				o = y
			}
			p = append(p, o+v*k)
		}
		if s.fill {
			c.out.Polygon(p, scene.NonZero, col)
		} else {
			c.out.Polyline(p, scene.Stroke{Width: width, Color: col, Join: scene.RoundJoin, Cap: scene.RoundCap, Closed: s.closed})
		}
	}
}
