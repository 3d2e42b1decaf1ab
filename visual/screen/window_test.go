//go:build window && linux

package screen

import (
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"whorl/visual/app"
	"whorl/visual/app/outbox"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// The tests of this file need a window in another process, since Ebitengine runs once in a process. The test program
// runs itself as the process with the window. Its viewer shows its last input and reports events to the test as
// lines.

const childEnv = "WHORL_SCREEN_TEST"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		scale, _ := strconv.ParseFloat(os.Getenv(childEnv+"_SCALE"), 64)
		o := Options{Title: "Whorl test", W: 400, H: 300, Scale: scale, Painted: func(m *image.RGBA, _ app.Output) { keep(dir, m) }}
		if err := Run(context.Background(), viewer(&o), o); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println("closed")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// keep saves the picture for the test.
func keep(dir string, m *image.RGBA) {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(m.Rect.Dx())), uint32(m.Rect.Dy()))
	name := filepath.Join(dir, "painted")
	if err := os.WriteFile(name+".new", append(head, m.Pix...), 0o600); err != nil {
		panic(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		panic(err)
	}
}

// teller is a viewer that reports events and shows a pattern with a mark at the pointer.
type teller struct {
	x, y, zoom float64
	turn       uint64
	w, h       float64
}

func (v *teller) Step(in app.Input) app.Output {
	changed := v.turn == 0
	out := app.Output{Next: -1, Title: "Whorl test"}
	if in.W != v.w || in.H != v.h {
		v.w, v.h = in.W, in.H
		fmt.Printf("size %gx%g@%g\n", in.W, in.H, in.Scale)
		changed = true
	}
	for _, e := range in.Events {
		changed = true
		v.x, v.y = e.X, e.Y
		at := fmt.Sprintf("%.0f,%.0f", math.Floor(e.X), math.Floor(e.Y))
		switch e.Kind {
		case ui.Move:
			fmt.Println("move", at)
		case ui.Down:
			fmt.Println("down", e.Button, at)
		case ui.Up:
			fmt.Println("up", e.Button, at)
		case ui.Leave:
			fmt.Println("leave")
		case ui.Wheel:
			v.zoom += e.DY
			fmt.Println("wheel", e.DY, at)
		case ui.Key:
			fmt.Println("key", e.Mods, e.Key)
			if e.Key == "q" && e.Mods == ui.Control {
				out.Asks = append(out.Asks, outbox.Ask{Do: outbox.Quit})
			}
		case ui.Text:
			fmt.Println("text", e.Text)
		}
	}
	if changed {
		v.turn++
	}
	w, h := float32(in.W*in.Scale), float32(in.H*in.Scale)
	l := scene.New(w, h)
	l.Rect(0, 0, w, h, scene.RGB(250, 250, 245))
	for i := float32(0); i*16 < w; i++ {
		l.Line(i*16, 0, w-i*16, h, 1, scene.RGB(uint8(i*9), 90, 160))
	}
	l.Circle(float32(v.x*in.Scale), float32(v.y*in.Scale), float32((12+3*v.zoom)*in.Scale), scene.RGB(200, 30, uint8(v.turn)))
	r := scene.Rect{X1: math.Round(in.W * in.Scale), Y1: math.Round(in.H * in.Scale)}
	out.Layers, out.Changed = []app.Layer{{Rect: r, Revision: v.turn, List: l, Opaque: true}}, changed
	return out
}

func TestWindow(t *testing.T) {
	d := newDesk(t, 800, 600, 0)
	d.same()
	if m := d.painted(); m.Rect != image.Rect(0, 0, 400, 300) || m.RGBAAt(1, 299) == m.RGBAAt(0, 0) {
		t.Errorf("picture of %v, perhaps empty", m.Rect)
	}

	d.to(120, 80)
	d.await("move 120,80")
	d.do("click", "1")
	d.await("down 0 120,80", "up 0 120,80")
	d.do("click", "3")
	d.await("down 2 120,80", "up 2 120,80")
	d.same()

	for range 2 { // a double click
		d.do("click", "1")
		d.await("down 0 120,80", "up 0 120,80")
	}

	d.do("click", "4")
	d.await("wheel 1 120,80")
	d.do("click", "5")
	d.await("wheel -1 120,80")

	d.do("mousedown", "1")
	d.await("down 0 120,80")
	d.to(200, 150)
	d.to(260, 190)
	d.await("move 260,190")
	d.do("mouseup", "1")
	d.await("up 0 260,190")
	d.same()

	d.chord("2", "key 0 2", "text 2")
	d.chord("shift+a", "key 1 A", "text A")
	for _, line := range d.chord("ctrl+z", "key 2 z") {
		if strings.HasPrefix(line, "text") {
			t.Errorf("a command typed text: %q", line)
		}
	}
	d.chord("ctrl+shift+z", "key 3 Z")
	for _, key := range [][2]string{{"Escape", "Escape"}, {"Return", "Enter"}, {"Left", "ArrowLeft"}, {"F1", "F1"}, {"BackSpace", "Backspace"}, {"Tab", "Tab"}, {"Prior", "PageUp"}} {
		d.chord(key[0], "key 0 "+key[1])
	}
	d.do("type", "--delay", "40", "p(X) :- q.")
	d.await("text p", "text (", "text X", "text )", "text  ", "text :", "text -", "text  ", "text q", "text .")

	d.to(-30, -30)
	d.await("leave")
	d.to(10, 10)
	d.await("move 10,10")
}

// TestOnlyClient opens a window on a server without other clients. Such a server resets when its last client leaves; this one ends instead.
func TestOnlyClient(t *testing.T) {
	d := newDeskOf(t, 800, 600, 0, "-terminate")
	d.to(20, 20)
	d.do("key", "ctrl+q")
	d.await("key 2 q", "closed")
}

func TestWindowResizeAndQuit(t *testing.T) {
	d := newDesk(t, 800, 600, 0)
	d.same()
	d.resize(520, 380)
	d.await("size 520x380@1")
	d.same()
	d.do("windowsize", d.id, "1", "1") // the smallest size
	d.await("size 1x1@1")
	d.do("windowsize", d.id, "300", "200")
	d.await("size 300x200@1")
	d.same()
	d.to(20, 20)
	d.do("key", "ctrl+q")
	d.await("key 2 q", "closed")
}

// TestWindowScale checks that a window with a scale reports positions in points and paints every pixel, at integer and other
// ratios.
func TestWindowScale(t *testing.T) {
	for _, scale := range []float64{2, 1.25} {
		t.Run(strconv.FormatFloat(scale, 'g', -1, 64), func(t *testing.T) {
			d := newDesk(t, 2000, 1200, scale)
			d.to(100, 60)
			d.await(fmt.Sprintf("move %.0f,%.0f", math.Floor(100.5/scale), math.Floor(60.5/scale)))
			d.same()
		})
	}
}

// TestIdle logs the processor time of an idle window.
func TestIdle(t *testing.T) {
	d := newDesk(t, 2600, 1500, 0)
	d.to(100, 60)
	d.await("move 100,60")
	time.Sleep(2 * time.Second)
	before := cpu(t, d.cmd.Process.Pid)
	const watched = 4 * time.Second
	time.Sleep(watched)
	used := cpu(t, d.cmd.Process.Pid) - before
	t.Logf("%.2f %% of a core", 100*used.Seconds()/watched.Seconds())
	d.to(110, 70)
	d.await("move 110,70") // the window wakes up
	d.same()
}
