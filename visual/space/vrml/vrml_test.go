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

	"whorl/visual/scene"
	"whorl/visual/space"
	"whorl/visual/testdata/spacetest"
)

var update = flag.Bool("update", false, "write the golden files anew")

func written(t testing.TB, w *space.World, write func(io.Writer, *space.World) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, w); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGolden: two bodies and a link, as a person can read them. What all worlds have in common is left out.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name, head string
		write      func(io.Writer, *space.World) error
	}{{"two.wrl", headVRML, WriteVRML}, {"two.x3d", headX3D, WriteX3D}} {
		got, ok := strings.CutPrefix(written(t, spacetest.Two(), c.write), c.head)
		if !ok {
			t.Fatalf("%s does not begin with what all have in common", c.name)
		}
		path := filepath.Join("testdata", c.name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}

// TestCompact: as in the paper, the basic parts have less than 150 lines.
func TestCompact(t *testing.T) {
	for name, head := range map[string]string{"VRML": headVRML, "X3D": headX3D} {
		if n := strings.Count(head, "\n"); n >= 150 {
			t.Errorf("the fixed part of %s has %d lines", name, n)
		}
	}
}

// TestNumbers: no digit more than is asked for, and no zero that says nothing.
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

// value is the numbers of a field of a node of a VRML file.
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
	if list, is := strings.CutPrefix(rest, "["); is {
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

// TestTracks plays what is written as VRML says that interpolators do, and finds bodies and links where they are in the world, in every frame.
func TestTracks(t *testing.T) {
	w := spacetest.Ring(5, 400)
	text := written(t, w, WriteVRML)
	if text != written(t, spacetest.Ring(5, 400), WriteVRML) {
		t.Error("the same world is written in two ways")
	}
	near := func(what string, frame int, got, want space.Vec, within float64) {
		t.Helper()
		for k := range got {
			if !(math.Abs(got[k]-want[k]) <= within) {
				t.Fatalf("%s in frame %d: %v, want %v", what, frame, got, want)
			}
		}
	}
	at := func(node string, frame, wide int) (a, b []float64, part float64) {
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
		a, b, part := at(node, frame, 3)
		return space.MixVec(space.Vec(a), space.Vec(b), part)
	}
	const within = 0.011 // a 500th of the reach, the rounding, and that of the keys
	for i := range w.Bodies {
		name, b := "B"+strconv.Itoa(i), &w.Bodies[i]
		for frame := range w.Frames {
			near(name, frame, vec(name+"_place", frame), b.At[frame], within)
			r := b.Round[frame]
			near(name, frame, vec(name+"_size", frame), space.Vec{r, r, r}, within)
		}
	}
	for i := range w.Links {
		name, l := "L"+strconv.Itoa(i), &w.Links[i]
		for frame := range w.Frames {
			if l.Half[frame] == 0 {
				if size := vec(name+"_size", frame); size[0] > within || size[2] > within {
					t.Fatalf("%s is seen in frame %d: %v", name, frame, size)
				}
				continue
			}
			a, b, part := at(name+"_turn", frame, 4)
			place, size := vec(name+"_place", frame), vec(name+"_size", frame)
			up := space.MixTurn(turn(a), turn(b), part).Of(space.Vec{0, size[1], 0})
			from, to := w.Bodies[l.A].At[frame], w.Bodies[l.B].At[frame]
			for k := range up {
				from[k], to[k] = from[k]-place[k]+up[k], to[k]-place[k]-up[k]
			}
			near(name, frame, from, space.Vec{}, 5*within)
			near(name, frame, to, space.Vec{}, 5*within)
		}
	}
	// Another world is another text.
	w.Bodies[2].At[w.Frames-1][1] += 0.1
	if v := value(t, written(t, w, WriteVRML), "B2_place", "keyValue"); math.Abs(v[len(v)-2]-w.Bodies[2].At[w.Frames-1][1]) > 0.001 {
		t.Errorf("a body that ends at %v is written as %v", w.Bodies[2].At[w.Frames-1], v[len(v)-3:])
	}
}

// turn is the one of an axis and an angle.
func turn(v []float64) space.Turn {
	sin, cos := math.Sincos(v[3] / 2)
	long := space.Vec(v[:3]).Len()
	return space.Turn{sin * v[0] / long, sin * v[1] / long, sin * v[2] / long, cos}
}

// TestSame: both notations have the same nodes with the same values.
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

// TestTexts: names that a notation would take for its own come through.
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

// TestFit: a name that has no room on its body is written smaller.
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
		t.Errorf("on a dark colour %v, on a light one %v", dark, light)
	}
}
