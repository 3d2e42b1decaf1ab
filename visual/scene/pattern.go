package scene

// Pattern distinguishes things of one colour: lines or dots on the colour, in a darker or lighter tone of it. Patterns
// are fixed to the picture, so that neighbouring shapes of one colour and pattern form one surface, and so that a shape
// which moves or grows shows another part of the same pattern.
type Pattern uint8

// The patterns.
const (
	Plain       Pattern = iota
	Rising              // lines from the lower left to the upper right
	Falling             // lines from the upper left to the lower right
	Dots                // round dots
	Crosses             // rising and falling lines
	Upright             // vertical lines
	Level               // horizontal lines
	Grid                // vertical and horizontal lines
	NumPatterns = iota
)

var patternNames = [...]string{"plain", "rising", "falling", "dots", "crosses", "upright", "level", "grid"}

func (p Pattern) String() string { return name(patternNames[:], uint8(p)) }

// LeastPatterned is the least width and height, in pixels, of shapes whose colour shows its pattern. A List stores the
// colours of smaller shapes, of narrower lines and of all texts without their patterns, and also those of polygons whose
// area is less than two thirds of that of a bar so narrow. Triangles of meshes keep theirs, since they are parts of
// larger shapes.
const LeastPatterned = 6

// A Tile is the unit of a pattern: strokes and dots on a square with corners at (0, 0) and (Side, Side). They may
// extend beyond the square, where they are cut off.
type Tile struct {
	Side   float32
	Width  float32      // of the lines
	Lines  [][4]float32 // x0, y0, x1, y1
	Dots   [][2]float32 // centres
	Radius float32      // of the dots
}

// Tile returns the tile of a pattern, in pixels. That of Plain is empty.
func (p Pattern) Tile() Tile {
	const s = 6.0
	rising := [][4]float32{{-2, 2, 2, -2}, {-2, s + 2, s + 2, -2}, {s - 2, s + 2, s + 2, s - 2}}
	falling := [][4]float32{{s - 2, -2, s + 2, 2}, {-2, -2, s + 2, s + 2}, {-2, s - 2, 2, s + 2}}
	upright := [][4]float32{{s / 2, 0, s / 2, s}}
	level := [][4]float32{{0, s / 2, s, s / 2}}
	t := Tile{Side: s, Width: 1.6}
	switch p {
	case Rising:
		t.Lines = rising
	case Falling:
		t.Lines = falling
	case Dots:
		t.Radius, t.Dots = 1.4, [][2]float32{{s / 4, s / 4}, {s * 3 / 4, s * 3 / 4}}
	case Crosses:
		t.Width, t.Lines = 1.1, append(rising, falling...)
	case Upright:
		t.Width, t.Lines = 2, upright
	case Level:
		t.Width, t.Lines = 2, level
	case Grid:
		t.Width, t.Lines = 1.5, append(upright, level...)
	}
	return t
}

// ToneShare is the share of black or white in the tone of a pattern.
const ToneShare = 0.42

// Tone returns the colour of the lines and dots of a pattern on c: c mixed with white if it is dark, and with black
// otherwise.
func (c Color) Tone() Color {
	if c.Dark() {
		return c.Mix(RGB(255, 255, 255).Alpha(c.A), ToneShare)
	}
	return c.Mix(RGB(0, 0, 0).Alpha(c.A), ToneShare)
}

// Dark reports whether patterns on c are lighter than c.
func (c Color) Dark() bool { return 3*int(c.R)+6*int(c.G)+int(c.B) < 10*105 }

// patterned returns c, without its pattern on a shape that is too small to show it.
func (c Color) patterned(w, h float32) Color {
	if c.Pattern != Plain && !(abs(w) >= LeastPatterned && abs(h) >= LeastPatterned) { // also for NaN
		return c.plain()
	}
	return c
}

// plain returns c without its pattern.
func (c Color) plain() Color { c.Pattern = Plain; return c }

func abs(v float32) float32 { return max(v, -v) }

// patternedPolygon returns c, without its pattern on a polygon that is too small to show it.
func (c Color) patternedPolygon(points []float32) Color {
	if c.Pattern == Plain || len(points) < 6 {
		return c.plain()
	}
	x0, y0, x1, y1 := points[0], points[1], points[0], points[1]
	area := float32(0)
	px, py := points[len(points)-2], points[len(points)-1]
	for i := 0; i+1 < len(points); i += 2 {
		x, y := points[i], points[i+1]
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
		area += (px-x0)*(y-y0) - (x-x0)*(py-y0)
		px, py = x, y
	}
	if abs(area)/2 < LeastPatterned*max(x1-x0, y1-y0)*2/3 {
		return c.plain()
	}
	return c.patterned(x1-x0, y1-y0)
}
