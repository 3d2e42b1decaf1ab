//go:build window && linux

package screen

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/experiment/testdata/experimenttest"
	"whorl/visual/app"
	"whorl/visual/app/outbox"
	"whorl/visual/glyph"
	"whorl/visual/ui"
)

// traceEnv names the traces that the viewer in the test's window opens. Without it the window shows the teller.
const traceEnv = childEnv + "_TRACES"

// reportingApp is the real viewer. It reports its titles, and after the unassigned keys F7 and F8 it reports when it is at rest.
type reportingApp struct {
	*app.App
	title, asked string
}

func (v *reportingApp) Step(in app.Input) app.Output {
	out := v.App.Step(in)
	if out.Title != v.title {
		v.title = out.Title
		fmt.Println("title", v.title)
	}
	for _, e := range in.Events {
		if e.Kind == app.NoSound {
			fmt.Println("no sound")
		}
		if e.Kind == ui.Key && (e.Key == "F7" || e.Key == "F8") {
			v.asked = e.Key
		}
		if e.Kind == ui.Key && e.Key == "F9" {
			out.Asks = append(out.Asks, outbox.Ask{Do: outbox.Quit})
		}
	}
	if v.asked != "" && (out.Next < 0 || out.Next > in.Now+time.Second) { // a message disappears after a while
		fmt.Println("rests", v.asked)
		v.asked = ""
	}
	return out
}

// viewer returns the viewer of the test's window.
func viewer(o *Options) Viewer {
	paths := os.Getenv(traceEnv)
	if paths == "" {
		return &teller{}
	}
	o.Glyphs = glyph.New()
	o.W, o.H = 1024, 640
	a := app.New(app.Options{Text: o.Glyphs, Runner: NewRunner()})
	for _, f := range Files(strings.Split(paths, "\n")) {
		a.OpenFile(f)
	}
	return &reportingApp{App: a}
}

// settled waits until the viewer has handled all input and the window shows the result, and returns the picture. When
// the viewer answers the second request, the picture of the first has been painted.
func (d *desk) settled() *image.RGBA {
	d.t.Helper()
	for _, key := range []string{"F7", "F8"} {
		d.do("key", key)
		d.await("rests " + key)
	}
	d.same()
	return d.painted()
}

// changed returns the share of pixels that differ between two pictures.
func changed(a, b *image.RGBA) float64 {
	if a.Rect != b.Rect {
		return 1
	}
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		if [4]byte(a.Pix[i:]) != [4]byte(b.Pix[i:]) {
			n++
		}
	}
	return float64(n) / float64(len(a.Pix)/4)
}

// shoot saves the picture for inspection.
func (d *desk) shoot(name string, m image.Image) {
	dir := os.Getenv("WHORL_SCREENSHOTS")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		d.t.Fatal(err)
	}
}

// TestViewer checks that the picture in a real window changes as expected with the user's input, and that the window shows
// it pixel for pixel.
func TestViewer(t *testing.T) {
	t.Setenv(traceEnv, experimenttest.File(t, "pascal", "fghc/pascal", 5))
	d := newDesk(t, 1280, 800, 0)
	d.await("title pascal · Whorl")
	before := d.settled()
	d.shoot("window", before)
	steps := []struct {
		name     string
		do       func()
		from, to float64 // share of the picture that changes
	}{
		{"nothing", func() {}, 0, 0},
		{"hover", func() { d.to(100, 420) }, 0.0005, 0.3},
		{"click", func() { d.do("click", "1") }, 0, 1},
		{"off the picture", func() { d.to(330, 90) }, 0.0005, 1},
		{"key 2", func() { d.do("key", "2") }, 0.01, 1},
		{"wheel", func() { d.to(250, 330); d.do("click", "--repeat", "3", "4") }, 0.02, 1},
		{"drag", func() {
			d.do("mousedown", "1")
			d.settled()
			d.to(280, 350)
			d.settled()
			d.to(320, 380)
			d.settled()
			d.do("mouseup", "1")
		}, 0.02, 1},
		{"fit", func() { d.do("key", "0") }, 0.02, 1},
	}
	for _, s := range steps {
		s.do()
		var now *image.RGBA
		var c float64
		within(func() bool { now = d.settled(); c = changed(before, now); return c >= s.from })
		d.shoot("window-"+strings.ReplaceAll(s.name, " ", "-"), now)
		if c < s.from || c > s.to {
			t.Errorf("%s: %.4f of the picture changed, want %v to %v", s.name, c, s.from, s.to)
		}
		before = now
	}
	d.resize(800, 500)
	if now := d.settled(); now.Rect.Size() != image.Pt(800, 500) {
		t.Errorf("after resizing, the picture has %v", now.Rect.Size())
	}
	d.do("key", "F9")
	d.await("closed")
}

// TestNoDevice switches sound on without a device. The viewer shows a message and continues.
func TestNoDevice(t *testing.T) {
	t.Setenv(traceEnv, experimenttest.File(t, "pascal", "fghc/pascal", 5))
	t.Setenv("ALSA_CONFIG_PATH", "/nowhere")
	d := newDesk(t, 1280, 800, 0)
	d.await("title pascal · Whorl")
	d.settled()
	d.do("key", "M")
	d.await("no sound")
	before := d.settled()
	d.do("key", "2")
	if !within(func() bool { return changed(before, d.settled()) >= 0.01 }) {
		t.Error("the picture did not change")
	}
}

// TestViewerIdle logs the processor time of the idle viewer with two traces.
func TestViewerIdle(t *testing.T) {
	t.Setenv(traceEnv, experimenttest.File(t, "pascal", "fghc/pascal", 5)+"\n"+experimenttest.File(t, "queens", "fghc/queens", 8))
	d := newDesk(t, 2600, 1500, 0)
	d.await("title pascal · Whorl")
	d.settled()
	time.Sleep(2 * time.Second)
	before := cpu(t, d.cmd.Process.Pid)
	const watched = 4 * time.Second
	time.Sleep(watched)
	t.Logf("%.2f %% of a core", 100*(cpu(t, d.cmd.Process.Pid)-before).Seconds()/watched.Seconds())
}

// TestViewerScreens checks the viewer at common sizes and scales.
func TestViewerScreens(t *testing.T) {
	t.Setenv(traceEnv, experimenttest.File(t, "pascal", "fghc/pascal", 5))
	for _, c := range []struct {
		w, h  int
		scale float64
	}{{1024, 640, 1}, {2048, 1280, 2}, {2560, 1440, 1}, {2560, 1440, 2}} {
		name := fmt.Sprintf("window-%dx%d@%v", c.w, c.h, c.scale)
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 2600, 1500, c.scale)
			d.await("title pascal · Whorl")
			d.settled()
			d.do("windowmove", d.id, "0", "0")
			d.x, d.y = 0, 0
			d.resize(c.w, c.h)
			m := d.settled()
			if m.Rect.Size() != image.Pt(c.w, c.h) {
				t.Errorf("the picture has %v", m.Rect.Size())
			}
			d.shoot(name, m)
		})
	}
}
