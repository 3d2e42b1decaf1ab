// Package pdf writes display lists as PDF documents, one page for each list.
//
// The document stands alone: it holds the characters of its texts, which can be searched and copied. A text with a character that the Go fonts lack is
// drawn as outlines. A mesh becomes a shading, and a pattern a tiling. Shapes with numbers that are not finite are left out. Equal lists give
// equal bytes.
//
// The format is that of ISO 32000-1:2008, PDF 1.7.
package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math"
	"strconv"

	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// Options holds the settings that are not part of a list.
type Options struct {
	Width, Height float64 // of the page in points (1/72 inch); 0 makes a pixel 3/4 of a point
	Fonts         *glyph.Set
}

// Numbers of the first objects.
const (
	catalog = iota + 1
	pages
	page
	content
	resources
	fixed = resources
)

// Write writes a document of one page to w and returns the error of w.
func Write(w io.Writer, l *scene.List, opt Options) error {
	return WritePages(w, []*scene.List{l}, opt)
}

// WritePages writes a document with a page for each list, which have one size, to w and returns the error of w. It needs at least one list.
func WritePages(w io.Writer, lists []*scene.List, opt Options) error {
	first := lists[0]
	if opt.Width == 0 || opt.Height == 0 {
		opt.Width, opt.Height = 0.75*float64(first.W), 0.75*float64(first.H)
	}
	d := &document{opt: opt, w: float64(first.W), h: float64(first.H), objects: make([][]byte, fixed), names: map[string]string{}}
	d.scale = opt.Width / d.w
	entry := func(content string) []byte {
		return fmt.Appendf(nil, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 %s %s]/Contents %s/Resources 5 0 R>>", number(opt.Width), number(opt.Height), content)
	}
	kids := []byte("3 0 R")
	for i, l := range lists {
		d.page(l)
		if i == 0 {
			d.objects[page-1], d.objects[content-1] = entry("4 0 R"), stream("", d.b)
			continue
		}
		kids = append(append(kids, ' '), d.add(entry(d.add(stream("", d.b))))...)
	}
	d.fonts()
	d.objects[catalog-1] = []byte("<</Type/Catalog/Pages 2 0 R>>")
	d.objects[pages-1] = fmt.Appendf(nil, "<</Type/Pages/Kids[%s]/Count %d>>", kids, len(lists))
	d.objects[resources-1] = d.resources()
	return d.write(w)
}

// page makes the content of a page.
func (d *document) page(l *scene.List) {
	d.b, d.state, d.stack = nil, state{}, nil
	d.op("cm", d.scale, 0, 0, -d.opt.Height/d.h, 0, d.opt.Height)
	for i := range l.Len() {
		o := l.Op(i)
		d.draw(&o)
	}
	for len(d.stack) > 0 {
		d.pop()
	}
}

// A document is a PDF file being made.
type document struct {
	opt         Options
	w, h, scale float64 // of the picture in pixels, and points of a pixel
	b           []byte  // the content of a page
	state       state
	stack       []state
	objects     [][]byte          // by number, from 1 on
	names       map[string]string // names of resources by what they stand for
	kinds       [numKinds][]byte  // entries of the resources
	used        [scene.NumFaces]map[uint16]rune
}

// A state is the part of the graphics state that is set only when it changes.
type state struct{ fill, stroke, alpha string }

// Kinds of resources.
const (
	alphas = iota
	patterns
	shadings
	numKinds
)

var kindNames = [numKinds]string{"ExtGState", "Pattern", "Shading"}

// resources returns the dictionary of all resources.
func (d *document) resources() []byte {
	b := []byte("<<")
	for k, entries := range d.kinds {
		b = append(append(append(b, "/"+kindNames[k]+"<<"...), entries...), ">>"...)
	}
	b = append(b, "/Font<<"...)
	for f, used := range d.used {
		if used != nil {
			b = fmt.Appendf(b, "/F%d %s", f, d.names["font"+strconv.Itoa(f)])
		}
	}
	return append(b, ">>>>"...)
}

// resource returns the name of a resource, which object makes if it is new.
func (d *document) resource(kind int, key string, object func() string) string {
	key = kindNames[kind] + key
	name, ok := d.names[key]
	if !ok {
		name = fmt.Sprintf("/%c%d", kindNames[kind][0], len(d.names))
		d.names[key] = name
		d.kinds[kind] = append(d.kinds[kind], name+" "+object()...)
	}
	return name
}

// add adds an object and returns a reference to it.
func (d *document) add(object []byte) string {
	d.objects = append(d.objects, object)
	return strconv.Itoa(len(d.objects)) + " 0 R"
}

// stream returns a compressed stream; entries belong to its dictionary.
func stream(entries string, data []byte) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(data) // into memory
	_ = z.Close()
	b := fmt.Appendf(nil, "<<%s/Filter/FlateDecode/Length %d>>stream\n", entries, packed.Len())
	return append(append(b, packed.Bytes()...), "\nendstream"...)
}

// write writes the objects and the table of their places.
func (d *document) write(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	places := make([]int, len(d.objects))
	for i, o := range d.objects {
		places[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(d.objects)+1)
	for _, p := range places {
		fmt.Fprintf(&b, "%010d 00000 n \n", p)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(d.objects)+1, start)
	_, err := w.Write(b.Bytes())
	return err
}

// number formats a number with at most three decimals.
func number(v float64) string { return string(appendNumber(nil, v)) }

func appendNumber(b []byte, v float64) []byte {
	b = strconv.AppendFloat(b, math.Round(v*1000)/1000+0, 'f', 3, 64) // + 0 makes -0 positive
	b = bytes.TrimRight(b, "0")
	return bytes.TrimSuffix(b, []byte("."))
}

// op writes an operator after its operands.
func (d *document) op(name string, operands ...float64) {
	for _, v := range operands {
		d.b = append(appendNumber(d.b, v), ' ')
	}
	d.b = append(append(d.b, name...), '\n')
}

// text writes an operator whose operands are no numbers.
func (d *document) text(s string) { d.b = append(append(d.b, s...), '\n') }

// push keeps the graphics state until pop.
func (d *document) push() {
	d.stack = append(d.stack, d.state)
	d.text("q")
}

func (d *document) pop() {
	if n := len(d.stack); n > 0 {
		d.state, d.stack = d.stack[n-1], d.stack[:n-1]
		d.text("Q")
	}
}
