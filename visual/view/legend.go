package view

import "whorl/visual/scene"

// A Legend is what stands beside a picture, as data: Render and the window place it, every view the same way.
type Legend struct {
	Title, Subtitle string
	Warning         string  // that the picture is not of a whole run, say; "" for nothing. What stands before a colon is said everywhere
	Blocks          []Block // the most important first
}

// A Block is one part of a legend: a heading with rows below it. Of a block that is too long the last rows go first, and a line says how many.
type Block struct {
	Title    string
	Columns  []string // headings of the swatches' values
	Swatches []Swatch
	Ramp     *Ramp
	Facts    []Fact
	Notes    []string // sentences; they are wrapped, and left out last of all
}

// A Swatch shows a colour, a few colours side by side, or a run of many, and says what it stands for.
type Swatch struct {
	Colors []scene.Color
	Label  string
	Values []string // numbers, right-aligned under Block.Columns
	Sign   *Sign    // in place of a field of colour, nil for none
}

// A Sign is a mark, or a line, as a picture draws it, in the swatch's first colour.
type Sign struct {
	Shape      scene.Shape
	Size       float32 // of the mark, as a share of the swatch's height
	Line, Dash bool    // a line in place of a mark; with dashes
}

// A Ramp shows colours that stand for a quantity, with texts at equal distances from the first colour to the last.
type Ramp struct {
	Colors []scene.Color
	Ticks  []string
}

// A Fact is a number of the run and its name.
type Fact struct{ Label, Value string }
