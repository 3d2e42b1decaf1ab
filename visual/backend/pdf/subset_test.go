package pdf

import (
	"bytes"
	"encoding/binary"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	em "golang.org/x/image/math/fixed"

	"whorl/testdata/must"
	"whorl/visual/scene"
)

// TestSubset compares the outlines and widths of a subset with those of the font. Letters with accents are made of others, which are kept with them.
func TestSubset(t *testing.T) {
	for _, ttf := range [][]byte{goregular.TTF, gobold.TTF, gomono.TTF} {
		whole := must.Get(sfnt.Parse(ttf))(t)
		var buf sfnt.Buffer
		var ids []uint16
		text := []rune("aZ0é Å…")
		for _, r := range text {
			ids = append(ids, uint16(must.Get(whole.GlyphIndex(&buf, r))(t)))
		}
		small := subset(ttf, ids)
		if 6*len(small) > len(ttf) {
			t.Errorf("%d of %d bytes", len(small), len(ttf))
		}
		// x/image needs tables that a PDF reader does not, so the subset gets those of the font.
		tables := fontTables(small)
		if tables == nil {
			t.Fatal("the tables lie outside the file")
		}
		part := must.Get(sfnt.Parse(withTables(ttf, tables)))(t)
		var other sfnt.Buffer
		for i, id := range ids {
			want := must.Get(whole.LoadGlyph(&buf, sfnt.GlyphIndex(id), em.I(1000), nil))(t)
			got := must.Get(part.LoadGlyph(&other, sfnt.GlyphIndex(id), em.I(1000), nil))(t)
			if len(got) != len(want) || text[i] != ' ' && len(want) == 0 {
				t.Fatalf("%c: %d segments, %d expected", text[i], len(got), len(want))
			}
			for k := range got {
				if got[k] != want[k] {
					t.Errorf("%c: segment %d is %v, expected %v", text[i], k, got[k], want[k])
				}
			}
		}
		b := must.Get(whole.GlyphIndex(&buf, 'b'))(t)
		if left := must.Get(part.LoadGlyph(&other, b, em.I(1000), nil))(t); len(left) != 0 {
			t.Errorf("b, which is not used, has %d segments", len(left))
		}
	}
}

// withTables returns a font with some of its tables replaced.
func withTables(ttf []byte, replaced map[string][]byte) []byte {
	all := fontTables(ttf)
	for name, table := range replaced {
		all[name] = table
	}
	n := int(binary.BigEndian.Uint16(ttf[4:]))
	out := bytes.Clone(ttf[:12+16*n])
	for i := range n {
		e := out[12+16*i:]
		table := all[string(e[:4])]
		binary.BigEndian.PutUint32(e[8:], uint32(len(out)))
		binary.BigEndian.PutUint32(e[12:], uint32(len(table)))
		out = append(out, table...)
		out = append(out, make([]byte, -len(out)&3)...)
	}
	return out
}

// TestSubsetOfAnything subsets fonts that are cut or damaged at each byte of their tables' heads.
func TestSubsetOfAnything(t *testing.T) {
	ids := []uint16{1, 68, 65535}
	for n := range 400 {
		subset(goregular.TTF[:n*len(goregular.TTF)/400], ids)
		damaged := bytes.Clone(goregular.TTF)
		damaged[n] ^= 0xff
		subset(damaged, ids)
	}
	if got := subset([]byte("no font"), ids); string(got) != "no font" {
		t.Errorf("%q", got)
	}
}

// TestSize checks that a document with a few words is small.
func TestSize(t *testing.T) {
	l := scene.New(200, 100)
	for f := range scene.NumFaces {
		l.Text(10, 20, "Processing elements 0 to 9", scene.TextStyle{Size: 10, Color: scene.RGB(0, 0, 0), Face: scene.Face(f)})
	}
	if file, _ := written(t, l, Options{}); len(file) > 40_000 {
		t.Errorf("%d bytes", len(file))
	}
}
