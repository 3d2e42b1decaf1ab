package sheet

import (
	"bytes"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// TestSheet reads sizes in pixels and in millimetres, and refuses others with what is expected.
func TestSheet(t *testing.T) {
	for _, c := range []struct {
		size, font string
		want       Sheet
		wrong      string
	}{
		{"1200x900", "", Sheet{W: 1200, H: 900}, ""},
		{"254x127mm", "", Sheet{2000, 1000, 254, 127, 200.0 / 9}, ""},
		{"127x50.8mm", "9pt", Sheet{1000, 400, 127, 50.8, 25}, ""},
		{"127x50.8mm", "9", Sheet{1000, 400, 127, 50.8, 25}, ""},
		{"1200x900", "8pt", Sheet{}, "--font 8pt is for sizes in mm, as in --size 85x60mm"},
		{"85mm", "", Sheet{}, "expected WIDTHxHEIGHTmm, each from 20 to 1000 mm"},
		{"85x6mm", "", Sheet{}, "expected WIDTHxHEIGHTmm"},
		{"NaNx60mm", "", Sheet{}, "expected WIDTHxHEIGHTmm"},
		{"85x60mm", "8px", Sheet{}, `--font "8px": expected points from 3 to 72`},
		{"85x60mm", "1pt", Sheet{}, "expected points from 3 to 72"},
		{"85x60cm", "", Sheet{}, "expected WIDTHxHEIGHT in pixels"},
	} {
		got, err := Parse(c.size, c.font)
		switch {
		case c.wrong == "" && (err != nil || got != c.want):
			t.Errorf("%s %s: %+v, %v, want %+v", c.size, c.font, got, err, c.want)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s %s: %v, want %s", c.size, c.font, err, c.wrong)
		}
	}
}

// TestFormatsHaveTheSize writes a picture in millimetres in each format.
func TestFormatsHaveTheSize(t *testing.T) {
	s := must.Get(Parse("50.8x25.4mm", ""))(t)
	l := scene.New(float32(s.W), float32(s.H))
	l.Text(10, 50, "text", scene.TextStyle{Size: 22, Color: scene.RGB(0, 0, 0)})
	for _, c := range []struct{ ending, want string }{
		{".svg", ` width="50.8mm" height="25.4mm" viewBox="0 0 400 200"`},
		{".pdf", "/MediaBox[0 0 144 72]"},
		{".png", "pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01"},
		{".png", "IHDR\x00\x00\x02\x58\x00\x00\x01\x2c"},
	} {
		var b bytes.Buffer
		must.Do(t, s.Encode(&b, c.ending, "", l, glyph.New()))
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: no %q in %.200q", c.ending, c.want, b.String())
		}
	}
}
