package view

import (
	"strings"

	"whorl/visual/scene"
)

// A Legend holds the contents of a picture's legend. Package page lays it out in the same way for every view.
type Legend struct {
	Title, Subtitle string
	Warning         string  // for instance that the run is incomplete, or ""; small layouts show only the part before a colon
	Blocks          []Block // the most important first
}

// Explain returns the legend of a picture. If there is a time window and the view does not count by it, a warning says that the numbers count the whole run.
func (k *Kind) Explain(p Picture, f *Frame) Legend {
	l := p.Legend(f)
	if f.dimmed() && !k.Windowed && !k.Modules && !k.Group {
		l.Warn("numbers of the whole run", "")
	}
	return l
}

// Warn adds a warning. Its head begins in lower case. Only layouts with room show its details, which may be "".
func (l *Legend) Warn(head, details string) {
	before, rest, _ := strings.Cut(l.Warning, ":")
	if before != "" {
		head = before + "; " + head
	}
	if rest = strings.TrimSpace(rest); details != "" && rest != "" {
		details = rest + ", " + details
	} else if details == "" {
		details = rest
	}
	if l.Warning = Capital(head); details != "" {
		l.Warning += ": " + details
	}
}

// A Block is one part of a legend: a heading with rows below it. A block that is too long loses its last rows first, and a
// line says how many are missing.
type Block struct {
	Title      string
	Columns    []string // headings of the swatches' values
	Swatches   []Swatch
	Ramp       *Ramp
	Facts      []Fact
	Notes      []string // sentences; they are wrapped, and left out last
	ValuesNote string   // sentence on the last column; only legends with the column show it
	Common     *Block   // form of the block for the one legend of compared runs, which shows such blocks besides the first; nil for none
}

// A Swatch shows a colour, a few colours side by side or a gradient of many, and a label.
type Swatch struct {
	Colors []scene.Color
	Label  string
	Values []string // numbers, right-aligned under Block.Columns
	Sign   *Sign    // replaces the field of colour; nil for none
}

// A Sign is a mark or a line of the picture, in the swatch's first colour.
type Sign struct {
	Shape      scene.Shape
	Size       float32 // of the mark, as a share of the swatch's height
	Line, Dash bool    // Line draws a line instead of a mark; Dash makes it dashed
}

// A Ramp is a colour scale of a quantity, with texts at equal distances from the first colour to the last.
type Ramp struct {
	Colors []scene.Color
	Ticks  []string
}

// A Fact is a number of the run and its name.
type Fact struct{ Label, Value string }
