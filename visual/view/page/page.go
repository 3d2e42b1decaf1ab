// Package page lays out pictures of views for paper and files: with a title and a legend (Shoot), inside other pictures (Paste), in tables of runs (Table).
// The window lays out its legends with the same parts (DrawLegend, DrawStrip).
package page

import (
	"math"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// Places of a legend in an image.
const (
	LegendBeside = "beside" // beside or below the picture, where it leaves more room for the picture; in a square image no wider or higher than it needs
	LegendBelow  = "below"  // below the picture: the colours, without numbers, in few lines
	LegendInside = "inside" // over the picture, which fills the image, where nothing is drawn at its right or left; as LegendBeside if there is no such place
	LegendNone   = "none"   // neither title nor legend: the picture fills the image
)

// LegendPlaces lists the places of a legend.
var LegendPlaces = []string{LegendBeside, LegendBelow, LegendInside, LegendNone}

// page places a picture, its title and its legend in an image. The title is at the top. The places depend on the size of the image and, in a
// square one, on the text of the legend, but not on what the picture draws, so the layout of a picture can depend on its place.
type page struct {
	w, h    float32
	style   view.Style
	text    scene.Measurer
	margin  float32
	line    float32 // height of a row of the legend
	title   float32 // height of the title with its gap
	picture scene.Rect
	panel   scene.Rect
	columns int
	legend  string // one of LegendPlaces; "" is LegendBeside

	over       bool    // title and legend are over the picture
	titleWidth float32 // of its texts
	titleRoom  float32 // height that a title over the picture takes from a picture below it
}

const (
	columnEms  = 21  // width of a column of the legend
	insideEms  = 14  // width of a legend inside the picture
	insideHigh = 0.7 // height of a legend inside the picture, as a share of the room below the title
	panelLines = 26  // preferred height of the legend, in lines
	titleEms   = 1.5 // font size of the title
)

// fontFor returns the font size for an image, which grows more slowly than the image: 12 pixels at a smaller side of 600.
func fontFor(w, h float32) float32 {
	return max(scene.Round(12*float32(math.Pow(float64(min(w, h))/600, 0.7))), 9)
}

// newPage returns a page of w by h pixels. A font of 0 pixels stands for fontFor.
func newPage(w, h, font float32, dark bool, legend string, text scene.Measurer) *page {
	if font == 0 {
		font = fontFor(w, h)
	}
	p := &page{w: w, h: h, style: view.NewStyle(dark, font), text: text, legend: legend, margin: font, line: scene.Round(font * view.LineEms)}
	p.title = scene.Round(font*(titleEms+0.35+view.LineEms) + font*0.6)
	m := p.margin
	p.titleWidth = w - 2*m
	if legend == LegendInside || legend == LegendNone {
		p.columns, p.over = 1, legend == LegendInside
		p.picture = scene.Rect{X0: float64(m), Y0: float64(m), X1: float64(w - m), Y1: float64(h - m)}
		p.titleRoom = p.title
		p.panel = p.picture
		p.panel.X0 = p.panel.X1 - float64(scene.Round(min(insideEms*font, (w-2*m)*0.42)))
		p.panel.Y1 = p.panel.Y0 + float64(scene.Round(insideHigh*(h-2*m-p.title)))
		p.titleWidth = float32(p.panel.X0) - 2*m
		return p
	}
	if legend == LegendBelow {
		p.belowPicture(0, 1) // until the height of the legend is known
		return p
	}
	p.apart(columnEms)
	return p
}

// apart puts the panel beside or below the picture, where it leaves more room for the picture, with columns of a width in ems.
func (p *page) apart(ems float32) {
	m, column := p.margin, scene.Round(p.style.Font*ems)
	innerW, innerH := p.w-2*m, p.h-2*m-p.title
	p.titleWidth = p.w - 2*m
	beside := scene.Round(min(column, innerW*0.42))
	sideA := min(innerW-beside-1.5*m, innerH)
	columns := max(int((innerW+m)/(column+m)), 1)
	lines := min(panelLines, 4+panelLines/columns)
	below := scene.Round(min(float32(lines)*p.line, innerH*0.55))
	sideB := min(innerW, innerH-below-1.5*m)
	if sideA >= sideB {
		p.besidePicture(beside)
	} else {
		p.belowPicture(below, columns)
	}
}

// besidePicture puts the panel right of the picture, width pixels wide.
func (p *page) besidePicture(width float32) {
	m, top := p.margin, p.margin+p.title
	p.columns = 1
	p.panel = scene.Rect{X0: float64(p.w - m - width), Y0: float64(top), X1: float64(p.w - m), Y1: float64(p.h - m)}
	p.picture = scene.Rect{X0: float64(m), Y0: float64(top), X1: float64(p.w - 2.5*m - width), Y1: float64(p.h - m)}
}

// belowPicture puts the panel below the picture, height pixels high.
func (p *page) belowPicture(height float32, columns int) {
	m, top := p.margin, p.margin+p.title
	p.columns = columns
	p.panel = scene.Rect{X0: float64(m), Y0: float64(p.h - m - height), X1: float64(p.w - m), Y1: float64(p.h - m)}
	p.picture = scene.Rect{X0: float64(m), Y0: float64(top), X1: float64(p.w - m), Y1: float64(p.h - 2.5*m - height)}
}

func (p *page) draw(out *scene.List, l view.Legend) {
	if p.legend == LegendNone {
		return
	}
	font, m := p.style.Font, p.margin
	if p.over {
		p.ground(out, p.titleBox(l))
		p.ground(out, p.panel.Grow(float64(m/2)))
	}
	y := m + font*titleEms
	out.Text(m, y, scene.Elide(p.text, l.Title, p.titleWidth, font*titleEms, scene.Bold), scene.TextStyle{Size: font * titleEms, Color: p.style.Ink, Face: scene.Bold})
	y += p.line
	out.Text(m, y, scene.Elide(p.text, l.Subtitle, p.titleWidth, font, scene.Regular), scene.TextStyle{Size: font, Color: p.style.Muted})
	p.drawPanel(out, l)
}

// titleBox returns the place of a title over the picture, with its ground.
func (p *page) titleBox(l view.Legend) scene.Rect {
	font, m := p.style.Font, p.margin
	used := max(p.text.Width(l.Title, font*titleEms, scene.Bold), p.text.Width(l.Subtitle, font, scene.Regular))
	r := scene.Rect{X0: float64(m), Y0: float64(m), X1: float64(m + min(used, p.titleWidth)), Y1: float64(m + font*titleEms + 1.4*p.line)}
	return r.Grow(float64(m / 2))
}

// ground makes texts over the picture readable.
func (p *page) ground(out *scene.List, r scene.Rect) {
	out.Rect(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1), p.style.Ground.Alpha(215))
}
