package vrml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/scene"
	"whorl/visual/space"
	"whorl/visual/testdata/spacetest"
)

var update = flag.Bool("update", false, "write the golden files anew")

func written(t testing.TB, w *space.World, write func(io.Writer, *space.World) error) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, write(&b, w))
	return b.String()
}

// TestGolden compares a world of two bodies and a link with a golden file, without the shared part.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name, head string
		write      func(io.Writer, *space.World) error
	}{{"two.wrl", headVRML, WriteVRML}, {"two.x3d", headX3D, WriteX3D}} {
		got, ok := strings.CutPrefix(written(t, spacetest.Two(), c.write), c.head)
		if !ok {
			t.Fatalf("%s does not begin with the shared part", c.name)
		}
		path := filepath.Join("testdata", c.name)
		if *update {
			must.Do(t, os.WriteFile(path, []byte(got), 0o644))
		}
		want := must.Get(os.ReadFile(path))(t)
		if got != string(want) {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}

// TestCompact checks that the shared part has less than 150 lines, as in the paper.
func TestCompact(t *testing.T) {
	for _, c := range []struct{ name, head string }{{"VRML", headVRML}, {"X3D", headX3D}} {
		if n := strings.Count(c.head, "\n"); n >= 150 {
			t.Errorf("the shared part of %s has %d lines", c.name, n)
		}
	}
}

// TestNumbers checks decimals and redundant zeros.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{
		{0, 3, "0"}, {-0.0001, 3, "0"}, {0.5, 3, ".5"}, {-0.5, 3, "-.5"}, {1.25, 1, "1.2"}, {-3, 2, "-3"}, {10, 0, "10"}, {0.9996, 3, "1"}, {100.10, 3, "100.1"}, {0, 0, "0"}, {-0.4, 0, "0"},
	} {
		if got := string(appendNumber(nil, c.v, c.decimals)); got != c.want {
			t.Errorf("%g with %d decimals: %s, want %s", c.v, c.decimals, got, c.want)
		}
	}
}

// value returns the numbers of a field of a node in a VRML file.
func value(t *testing.T, text, node, field string) (v []float64) {
	t.Helper()
	_, rest, ok := strings.Cut(text, "DEF "+node+" ")
	if ok {
		rest, _, _ = strings.Cut(rest, "}\n")
		_, rest, ok = strings.Cut(rest, " "+field+" ")
	}
	if !ok {
		t.Fatalf("no %s of %s", field, node)
	}
	if list, ok := strings.CutPrefix(rest, "["); ok {
		rest, _, _ = strings.Cut(list, "]")
	}
	for f := range strings.FieldsSeq(rest) {
		x, err := strconv.ParseFloat(f, 64)
		if err != nil {
			break
		}
		v = append(v, x)
	}
	return v
}

// TestTracks interpolates the written values as VRML does, and compares bodies and links with the world in every
// frame.
func TestTracks(t *testing.T) {
	w := spacetest.Ring(5, 400)
	text := written(t, w, WriteVRML)
	if text != written(t, spacetest.Ring(5, 400), WriteVRML) {
		t.Error("equal worlds give different files")
	}
	near := func(name string, frame int, got, want space.Vec, within float64) {
		t.Helper()
		for k := range got {
			if !(math.Abs(got[k]-want[k]) <= within) {
				t.Fatalf("%s in frame %d: %v, want %v", name, frame, got, want)
			}
		}
	}
	segment := func(node string, frame, wide int) (a, b []float64, part float64) {
		keys, values := value(t, text, node, "key"), value(t, text, node, "keyValue")
		if len(values) != wide*len(keys) || keys[0] != 0 || keys[len(keys)-1] != 1 || len(keys) >= w.Frames {
			t.Fatalf("%s: %d keys, from %g to %g, with %d values", node, len(keys), keys[0], keys[len(keys)-1], len(values))
		}
		k := 0
		for k+2 < len(keys) && keys[k+1] <= w.Key(frame) {
			k++
		}
		return values[wide*k : wide*(k+1)], values[wide*(k+1) : wide*(k+2)], (w.Key(frame) - keys[k]) / (keys[k+1] - keys[k])
	}
	vec := func(node string, frame int) space.Vec {
		a, b, part := segment(node, frame, 3)
		return space.MixVec(space.Vec(a), space.Vec(b), part)
	}
	const within = 0.011 // a 500th of the reach, plus rounding of values and keys
	for i := range w.Bodies {
		name, b := "B"+strconv.Itoa(i), &w.Bodies[i]
		for frame := range w.Frames {
			near(name, frame, vec(name+"_place", frame), b.Centre[frame], within)
			r := b.Radius[frame]
			near(name, frame, vec(name+"_size", frame), space.Vec{r, r, r}, within)
		}
	}
	for i := range w.Links {
		name, l := "L"+strconv.Itoa(i), &w.Links[i]
		for frame := range w.Frames {
			if l.Radius[frame] == 0 {
				if size := vec(name+"_size", frame); size[0] > within || size[2] > within {
					t.Fatalf("%s is visible in frame %d: %v", name, frame, size)
				}
				continue
			}
			a, b, part := segment(name+"_turn", frame, 4)
			place, size := vec(name+"_place", frame), vec(name+"_size", frame)
			up := space.MixTurn(turn(a), turn(b), part).Rotate(space.Vec{0, size[1], 0})
			from, to := w.Bodies[l.A].Centre[frame], w.Bodies[l.B].Centre[frame]
			for k := range up {
				from[k], to[k] = from[k]-place[k]+up[k], to[k]-place[k]-up[k]
			}
			near(name, frame, from, space.Vec{}, 5*within)
			near(name, frame, to, space.Vec{}, 5*within)
		}
	}
	// A change of the world changes the file.
	w.Bodies[2].Centre[w.Frames-1][1] += 0.1
	if v := value(t, written(t, w, WriteVRML), "B2_place", "keyValue"); math.Abs(v[len(v)-2]-w.Bodies[2].Centre[w.Frames-1][1]) > 0.001 {
		t.Errorf("final position %v is written as %v", w.Bodies[2].Centre[w.Frames-1], v[len(v)-3:])
	}
}

// turn returns the turn by an angle about an axis.
func turn(v []float64) space.Turn {
	sin, cos := math.Sincos(v[3] / 2)
	long := space.Vec(v[:3]).Len()
	return space.Turn{sin * v[0] / long, sin * v[1] / long, sin * v[2] / long, cos}
}

// TestSame checks that both notations have the same interpolators with the same values.
func TestSame(t *testing.T) {
	w := spacetest.Ring(4, 30)
	classic := written(t, w, WriteVRML)
	dec := xml.NewDecoder(strings.NewReader(written(t, w, WriteX3D)))
	tracks := 0
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok || !strings.HasSuffix(e.Name.Local, "Interpolator") || len(e.Attr) != 3 || e.Attr[0].Value == "Turn" {
			continue
		}
		tracks++
		line := "DEF " + e.Attr[0].Value + " " + e.Name.Local + " { key [" + e.Attr[1].Value + "] keyValue [" + e.Attr[2].Value + "] }\n"
		if !strings.Contains(classic, line) {
			t.Errorf("VRML has no %s", line)
		}
	}
	if want := strings.Count(classic, "Interpolator {") - 1; tracks != want || tracks < 4*4 {
		t.Errorf("X3D has %d interpolators, VRML %d", tracks, want)
	}
}

// TestTexts checks that characters with a meaning in a notation are escaped.
func TestTexts(t *testing.T) {
	w := spacetest.Two()
	w.Title = "a\x00<b>\"\\'&\xff"
	if text := written(t, w, WriteVRML); !strings.Contains(text, `title "a<b>\"\\'&"`) {
		t.Errorf("%q", text[len(headVRML):len(headVRML)+60])
	}
	if text := written(t, w, WriteX3D); !strings.Contains(text, `title='a&lt;b&gt;"\&apos;&amp;'`) {
		t.Errorf("%q", text[len(headX3D):len(headX3D)+60])
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestFull(t *testing.T) {
	for _, write := range []func(io.Writer, *space.World) error{WriteVRML, WriteX3D} {
		if err := write(full{}, spacetest.Two()); err == nil || err.Error() != "the disk is full" {
			t.Error(err)
		}
	}
}

// TestFit checks that a name that does not fit on its body is written smaller.
func TestFit(t *testing.T) {
	w := spacetest.Two()
	w.Bodies[0].Name = "naïve/2 "
	if text := written(t, w, WriteVRML); !strings.Contains(text, ` label ["naïve/2 "] ink 1 1 1 fit .375 .375 .375 }`) {
		t.Error(text[len(headVRML):])
	}
	if w.Bodies[0].Name = "123"; strings.Contains(written(t, w, WriteVRML)[len(headVRML):], " fit ") {
		t.Error("a short name is written smaller")
	}
}

func TestInk(t *testing.T) {
	if dark, light := ink([]scene.Color{scene.RGB(10, 20, 200)}), ink([]scene.Color{scene.RGB(250, 240, 90)}); dark.R < 250 || light.R > 50 {
		t.Errorf("ink %v on a dark colour, %v on a light one", dark, light)
	}
}
