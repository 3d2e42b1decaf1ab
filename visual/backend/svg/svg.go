// Package svg writes a scene.List as an SVG document.
//
// The document stands alone and has one element for each op, in the order of the list. Groups become <g> with a
// <title>, which browsers show as a tooltip. Numbers have at most two decimals, paths use relative coordinates, and
// marks of one colour share a path where the result looks the same, so that a picture of many points stays small.
// Equal lists give equal bytes.
//
// What SVG lacks is approximated: a mesh becomes small triangles of one colour each. Text is written as text, in the
// Go fonts where the viewer has them and otherwise in common sans-serif and monospaced faces, placed by its anchor and
// written from left to right. Shapes with numbers that are not finite are left out.
package svg

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"whorl/visual/scene"
)

// Options holds the settings that are not part of a list.
type Options struct {
	// Measure places vertically aligned text and tells viewers the length of each text, which keeps the layout when
	// they use another face. If nil, the proportions of the Go fonts are used and viewers choose the length.
	Measure scene.Measurer
	// Width and Height are the size of the picture in millimetres. If they are 0, its size is that of its pixels.
	Width, Height float64
	// Title and Desc describe the whole picture. Empty ones are omitted.
	Title, Desc string
}

// The fallback faces have about the same width as the first.
const (
	sans = "Go, 'Lucida Grande', Helvetica, Arial, 'Liberation Sans', sans-serif"
	mono = "'Go Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
)

// Write writes the document to w and returns the error of w.
func Write(w io.Writer, l *scene.List, opt Options) error {
	d := &document{w: w, opt: opt, width: max(coord(l.W), 0), height: max(coord(l.H), 0), defined: map[string]bool{}}
	d.text(`<svg xmlns="http://www.w3.org/2000/svg"`)
	if opt.Width > 0 && opt.Height > 0 {
		d.text(fmt.Sprintf(` width="%gmm" height="%gmm"`, opt.Width, opt.Height))
	} else {
		d.attr("width", d.width)
		d.attr("height", d.height)
	}
	d.text(` viewBox="0 0 `)
	d.num(d.width)
	d.text(" ")
	d.num(d.height)
	d.text(`" fill="none" stroke-linejoin="round" font-family="` + sans + `">` + "\n")
	d.element("title", opt.Title)
	d.element("desc", opt.Desc)
	for i := range l.Len() {
		o := l.Op(i)
		d.op(&o)
		if len(d.b) > 1<<16 {
			d.flush()
		}
	}
	for ; d.open > 0; d.open-- {
		d.text("</g>\n")
	}
	d.text("</svg>\n")
	d.flush()
	return d.err
}

// document is an SVG file being written.
type document struct {
	w    io.Writer
	b    []byte
	err  error
	opt  Options
	open int // number of open <g>

	width, height int // size of the picture, in hundredths

	defined map[string]bool // ids of the clip paths and patterns written
}

func (d *document) flush() {
	if d.err == nil {
		_, d.err = d.w.Write(d.b)
	}
	d.b = d.b[:0]
}

func (d *document) op(o *scene.Op) {
	switch o.Kind {
	case scene.OpGroup:
		d.group(o)
		return
	case scene.OpClip:
		d.clip(o)
		return
	case scene.OpPop:
		if d.open > 0 {
			d.open--
			d.text("</g>\n")
		}
		return
	case scene.OpMarks:
		d.marks(o)
		return
	case scene.OpMesh:
		d.mesh(o)
		return
	}
	if o.Color.A == 0 || !o.Finite() && o.Kind != scene.OpRect {
		return
	}
	d.pattern(o.Color)
	switch o.Kind {
	case scene.OpRect:
		d.rect(o)
	case scene.OpPolyline:
		d.polyline(o)
	case scene.OpPolygon:
		d.polygon(o)
	case scene.OpArc:
		d.arc(o)
	case scene.OpCircle:
		d.circle(o)
	case scene.OpText:
		d.label(o)
	}
}

func (d *document) group(o *scene.Op) {
	id, title := o.Group()
	d.text("<g")
	if id != 0 {
		d.text(` data-id="`)
		d.b = appendUint(d.b, id)
		d.text(`"`)
	}
	d.text(">")
	d.open++
	if len(title) > 0 {
		d.element("title", string(title))
	} else {
		d.text("\n")
	}
}

// clip opens a group clipped to a rectangle of whole pixels. The id of the clip path encodes the rectangle, so that it
// means the same in every document of a page.
func (d *document) clip(o *scene.Op) {
	fx0, fy0, fx1, fy1 := o.Rect()
	x0, y0, x1, y1 := pixel(min(fx0, fx1)), pixel(min(fy0, fy1)), pixel(max(fx0, fx1)), pixel(max(fy0, fy1))
	if fx0 != fx0 || fy0 != fy0 || fx1 != fx1 || fy1 != fy1 {
		x0, y0, x1, y1 = 0, 0, 0, 0 // nothing is inside
	}
	var id []byte
	for _, v := range [4]int{x0, y0, x1, y1} {
		id = append(appendNumber(append(id, 'c'), v), '_')
	}
	name := strings.TrimSuffix(string(id), "_")
	if !d.defined[name] {
		d.defined[name] = true
		d.text(`<clipPath id="` + name + `"><path d="`)
		d.box(x0, y0, x1, y1)
		d.text("\"/></clipPath>\n")
	}
	d.text(`<g clip-path="url(#` + name + ")\">\n")
	d.open++
}

// element writes a text element, unless the text is empty.
func (d *document) element(name, s string) {
	if s == "" {
		return
	}
	d.text("<" + name + ">")
	d.escape([]byte(s))
	d.text("</" + name + ">\n")
}

func (d *document) text(s string) { d.b = append(d.b, s...) }

// content writes the characters of a text element. Of spaces in a row all become no-break spaces, and so does one at the beginning, since browsers
// drop and join others in spite of xml:space.
func (d *document) content(s []byte) {
	if len(s) > 0 && s[0] == ' ' || bytes.Contains(s, []byte("  ")) {
		s = bytes.ReplaceAll(s, []byte("  "), []byte("\u00a0\u00a0"))
		if s[0] == ' ' {
			s = append([]byte("\u00a0"), s[1:]...)
		}
	}
	d.escape(s)
}

// escape writes characters for use in text or in a quoted attribute. Characters that XML forbids become U+FFFD.
func (d *document) escape(s []byte) {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		switch {
		case r == '&':
			d.text("&amp;")
		case r == '<':
			d.text("&lt;")
		case r == '>':
			d.text("&gt;")
		case r == '"':
			d.text("&quot;")
		case r < ' ' && r != '\t' && r != '\n', r == 0xfffe, r == 0xffff:
			d.b = utf8.AppendRune(d.b, utf8.RuneError)
		default:
			d.b = utf8.AppendRune(d.b, r)
		}
	}
}
