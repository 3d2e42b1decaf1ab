package scene

// OpKind is the kind of an op.
type OpKind uint8

// The kinds of ops, with the accessor of Op that decodes each.
const (
	OpRect     OpKind = iota // Rect
	OpPolyline               // Polyline
	OpPolygon                // Polygon
	OpArc                    // Arc
	OpCircle                 // Circle
	OpText                   // Text
	OpMarks                  // Marks
	OpMesh                   // Mesh
	OpClip                   // Rect
	OpGroup                  // Group
	OpPop                    // closes the innermost OpClip or OpGroup
)

var opNames = [...]string{"rect", "polyline", "polygon", "arc", "circle", "text", "marks", "mesh", "clip", "group", "pop"}

func (k OpKind) String() string { return name(opNames[:], uint8(k)) }

// Rule determines the interior of a polygon that intersects itself or has holes.
type Rule uint8

// The fill rules.
const (
	NonZero Rule = iota
	EvenOdd
)

func (r Rule) String() string { return name([]string{"nonzero", "evenodd"}, uint8(r)) }

// Join is the shape of a polyline's corners.
type Join uint8

// The joins. A mitre longer than four widths becomes a bevel.
const (
	RoundJoin Join = iota
	MiterJoin
)

func (j Join) String() string { return name([]string{"round", "miter"}, uint8(j)) }

// Cap is the shape of a polyline's ends and of the ends of its dashes.
type Cap uint8

// The caps.
const (
	ButtCap Cap = iota
	RoundCap
	SquareCap
)

func (c Cap) String() string { return name([]string{"butt", "round", "square"}, uint8(c)) }

// MaxDash is the largest number of lengths in a dash pattern; further ones are ignored.
const MaxDash = 8

// Stroke is the style of a polyline.
type Stroke struct {
	Width  float32 // pixels
	Color  Color
	Join   Join
	Cap    Cap
	Closed bool      // the last point is joined to the first
	Dash   []float32 // lengths of on, off, on, ... in pixels; nil is a full line
	Phase  float32   // position in the pattern at which the line starts
}

// Anchor is the horizontal alignment of a text about x.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

func (a Anchor) String() string { return name([]string{"start", "middle", "end"}, uint8(a)) }

// VAlign is the vertical alignment of a text about y.
type VAlign uint8

// The vertical alignments. Center puts the middle of the capital letters at y.
const (
	Baseline VAlign = iota
	Top
	Center
	Bottom
)

func (v VAlign) String() string {
	return name([]string{"baseline", "top", "center", "bottom"}, uint8(v))
}

// Face is one of the three type faces.
type Face uint8

// The faces.
const (
	Regular Face = iota
	Bold
	Mono
	NumFaces = iota
)

func (f Face) String() string { return name([]string{"regular", "bold", "mono"}, uint8(f)) }

// TextStyle is the style of a text. Rotation is in radians, clockwise, about the point (x, y).
type TextStyle struct {
	Size     float32 // em in pixels
	Color    Color
	Anchor   Anchor
	VAlign   VAlign
	Face     Face
	Rotation float32
}

// Shape is the shape of marks.
type Shape uint8

// The shapes. All have the mark's size as their height and width.
const (
	Disc Shape = iota
	Square
	Diamond
	Triangle
	Cross
)

func (s Shape) String() string {
	return name([]string{"disc", "square", "diamond", "triangle", "cross"}, uint8(s))
}

func name(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return "unknown"
}
