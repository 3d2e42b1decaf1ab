package pdf

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// label writes a text as characters of an embedded face, or as outlines if the face lacks one of them.
func (d *document) label(o *scene.Op) {
	x, y, s, t := o.Text()
	if len(s) == 0 || !(t.Size > 0) {
		return
	}
	along := 0.0 // from the anchor to the start
	if w := float64(d.opt.Fonts.Width(string(s), t.Size, t.Face)); t.Anchor == scene.Middle {
		along = -w / 2
	} else if t.Anchor == scene.End {
		along = -w
	}
	down := float64(d.opt.Fonts.Metrics(t.Size, t.Face).Shift(t.VAlign))
	sin, cos := math.Sincos(float64(t.Rotation))
	x0, y0 := float64(x)+along*cos-down*sin, float64(y)+along*sin+down*cos
	d.fill(t.Color)
	codes, ok := d.codes(string(s), t.Face)
	if !ok {
		var p glyph.Path
		d.opt.Fonts.Outlines(&p, s, float64(t.Size), t.Face)
		d.push()
		d.op("cm", cos, sin, -sin, cos, x0, y0)
		from := 0
		for _, end := range p.Ends {
			for op := "m"; from < end; from += 2 {
				d.op(op, p.Points[from], p.Points[from+1])
				op = "l"
			}
		}
		d.text("f")
		d.pop()
		return
	}
	d.text("BT /F" + strconv.Itoa(int(t.Face)) + " " + number(float64(t.Size)) + " Tf")
	d.op("Tm", cos, sin, sin, -cos, x0, y0)
	d.text("<" + hex.EncodeToString(codes) + "> Tj ET")
}

// codes returns the glyphs of a text, two bytes each, and notes that they are used. It returns false if the face lacks one.
func (d *document) codes(s string, f scene.Face) (codes []byte, ok bool) {
	for _, r := range s {
		id, ok := d.opt.Fonts.Index(r, f)
		if !ok {
			return nil, false
		}
		if d.used[f] == nil {
			d.used[f] = map[uint16]rune{}
		}
		d.used[f][id] = r
		codes = append(codes, byte(id>>8), byte(id))
	}
	return codes, true
}

// fonts adds the parts of the faces that are in use, with the widths and the meanings of their characters.
func (d *document) fonts() {
	for f, used := range d.used {
		if used == nil {
			continue
		}
		face := scene.Face(f)
		name := [...]string{scene.Regular: "GoRegular", scene.Bold: "GoBold", scene.Mono: "GoMono"}[f]
		ids := slices.Sorted(maps.Keys(used))
		name = subsetTag(ids) + name
		ttf := subset(d.opt.Fonts.File(face), ids)
		file := d.add(stream("/Length1 "+strconv.Itoa(len(ttf)), ttf))
		m := d.opt.Fonts.Metrics(1000, face)
		flags := 32 // no symbols
		if face == scene.Mono {
			flags++
		}
		descriptor := d.add(fmt.Appendf(nil, "<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[-500 -300 1500 1100]/ItalicAngle 0/Ascent %s/Descent %s/CapHeight %s/StemV 80/FontFile2 %s>>",
			name, flags, number(float64(m.Ascent)), number(-float64(m.Descent)), number(float64(m.CapHeight)), file))
		var widths, meaning []byte
		for _, id := range ids {
			widths = fmt.Appendf(widths, "%d[%s]", id, number(float64(d.opt.Fonts.Width(string(used[id]), 1000, face))))
			meaning = fmt.Appendf(meaning, "1 beginbfchar <%04x> <%04x> endbfchar\n", id, used[id])
		}
		unicode := d.add(stream("", fmt.Appendf(nil, "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Whorl def /CMapType 2 def\n"+
			"1 begincodespacerange <0000> <ffff> endcodespacerange\n%sendcmap CMapName currentdict /CMap defineresource pop end end", meaning)))
		descendant := d.add(fmt.Appendf(nil, "<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor %s/CIDToGIDMap/Identity/W[%s]>>",
			name, descriptor, widths))
		d.names["font"+strconv.Itoa(f)] = d.add(fmt.Appendf(nil, "<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%s]/ToUnicode %s>>", name, descendant, unicode))
	}
}
