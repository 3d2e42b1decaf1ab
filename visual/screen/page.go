//go:build js

package screen

import (
	"context"
	"errors"
	"image"
	"math"
	"runtime"
	"syscall/js"
	"time"

	"whorl/visual/app"
	"whorl/visual/sound"
	"whorl/visual/ui"
)

// Run shows the viewer in the page that loaded the program, and returns when the viewer quits. The page has a canvas
// "picture", a field "type" for typed text, a field "file" that opens the browser's file dialog, and a function
// whorl.say for messages of the page. Everything runs on one thread: listeners fill the queue, and the goroutine of
// Run steps the viewer before the browser draws the next frame.
func Run(_ context.Context, v Viewer, o Options) error {
	p := newPage(v, o)
	if !p.context.Truthy() {
		return errors.New("the browser gives the page no canvas to draw on")
	}
	p.listen()
	p.measure()
	p.rouse()
	go func() {
		for range o.Wake {
			p.rouse()
		}
	}()
	for !p.quit {
		<-p.due
		p.step()
	}
	return nil
}

// A page is the browser's side of the viewer.
type page struct {
	stage    *stage
	queue    queue
	document js.Value
	canvas   js.Value
	context  js.Value // 2d context of the canvas
	field    js.Value // receives typed text
	chooser  js.Value // opens the file dialog

	w, h  int // size of the canvas in pixels
	scale float64
	x, y  float64 // pointer, in points
	lost  bool    // the browser has reclaimed the canvas
	blank bool    // the canvas does not show the picture
	print bool    // the browser waits for pictures that it prints

	due       chan struct{} // requests a step
	expected  bool          // an animation frame has been requested
	request   js.Value      // of that frame
	late      *time.Timer   // fires when the browser has not shown that frame
	twin      twin
	audio     *webAudio // nil until sound is first requested
	sink      sound.Sink
	timer     *time.Timer // fires when the viewer wants to be stepped
	frame     js.Func
	buf       []byte
	array     js.Value // as long as the largest part painted so far
	cursor    ui.Cursor
	typing    bool // a field of the viewer has the keys
	title     string
	quit      bool
	pictures  int
	heartbeat int
}

func newPage(v Viewer, o Options) *page {
	d := js.Global().Get("document")
	p := &page{stage: newStage(v, o), document: d, due: make(chan struct{}, 1), sink: silence{}}
	p.canvas = d.Call("getElementById", "picture")
	p.field = d.Call("getElementById", "type")
	p.chooser = d.Call("getElementById", "file")
	p.context = p.canvas.Call("getContext", "2d", map[string]any{"alpha": false})
	p.frame = js.FuncOf(func(js.Value, []js.Value) any {
		p.late.Stop()
		p.expected = false
		p.ready()
		return nil
	})
	p.late = time.AfterFunc(time.Hour, func() {
		js.Global().Call("cancelAnimationFrame", p.request)
		p.expected = false
		p.ready()
	})
	p.timer = time.AfterFunc(time.Hour, p.rouse)
	p.twin.timer = time.AfterFunc(time.Hour, func() {
		p.twin.due = true
		p.ready()
	})
	return p
}

// ready requests a step of Run.
func (p *page) ready() {
	select {
	case p.due <- struct{}{}:
	default:
	}
}

func (p *page) hidden() bool { return p.document.Get("hidden").Bool() }

// rouse requests a step before the next frame. A hidden page has no frames, so it steps at once. Some pages have none although the browser calls them
// visible, such as those whose window is covered; they step once a second.
func (p *page) rouse() {
	p.rest(0)
	switch {
	case p.hidden():
		p.ready()
	case !p.expected:
		p.expected = true
		p.late.Reset(time.Second)
		p.request = js.Global().Call("requestAnimationFrame", p.frame)
	}
}

// now returns the time of the page's clock.
func now() time.Duration {
	return milliseconds(js.Global().Get("performance").Call("now"))
}

func milliseconds(v js.Value) time.Duration {
	return time.Duration(v.Float() * float64(time.Millisecond))
}

// measure reads the size of the canvas and the number of pixels per point.
func (p *page) measure() {
	window := js.Global()
	p.scale = scaleOf(window.Get("devicePixelRatio").Float())
	w, h := p.canvas.Get("clientWidth").Float(), p.canvas.Get("clientHeight").Float()
	pw, ph := int(w*p.scale+0.5), int(h*p.scale+0.5)
	if p.near(pw, ph) {
		return // the observer reports the exact size
	}
	p.resize(pw, ph)
}

// near reports whether the size of the canvas differs by at most a pixel.
func (p *page) near(w, h int) bool { return max(w-p.w, p.w-w, h-p.h, p.h-h) <= 1 }

func (p *page) resize(w, h int) {
	if w == p.w && h == p.h {
		return
	}
	p.w, p.h = w, h
	p.canvas.Set("width", max(w, 1))
	p.canvas.Set("height", max(h, 1))
	p.clean()
}

// clean is called when the canvas has lost its content.
func (p *page) clean() {
	p.blank = true
	p.stage.stale = true
	p.rouse()
}

// step steps the viewer and carries out its requests.
func (p *page) step() {
	if s := scaleOf(js.Global().Get("devicePixelRatio").Float()); s != p.scale { // not every browser sends an event
		p.measure()
	}
	in := app.Input{Now: now(), Scale: p.scale, Hidden: p.hidden() || p.lost, Events: p.queue.drain(), Describe: p.twin.due, Print: p.print}
	p.twin.due = false
	out := p.stage.step(in, p.w, p.h)
	runtime.Gosched() // what the step has sent to a worker goes before the picture
	frame, dirty := p.stage.paint(in, out, p.w, p.h)
	if frame != nil && p.blank {
		p.blank, dirty = false, frame.Rect
	}
	if frame != nil && !dirty.Empty() {
		p.show(frame, dirty)
	}
	p.heartbeat++
	if out.Cursor != p.cursor {
		p.cursor = out.Cursor
		p.canvas.Get("style").Set("cursor", cursors[out.Cursor])
	}
	p.typing = out.Typing
	if out.Title != "" && out.Title != p.title {
		p.title = out.Title
		p.document.Set("title", out.Title)
	}
	if out.Ear != nil {
		p.sink.Hear(in.Now, *out.Ear)
	}
	if len(out.Sounds) > 0 {
		p.sink.Play(in.Now, out.Sounds)
	}
	p.twin.show(out, p.scale)
	if p.print {
		call("paper", out.Prints)
	}
	for _, a := range out.Asks {
		p.fulfil(a)
	}
	pause, ok := p.stage.wait(out.Next, now())
	if ok {
		p.timer.Reset(pause)
	} else {
		p.timer.Stop()
		pause = math.MaxInt64
	}
	p.report()
	if !p.expected && len(p.due) == 0 {
		p.rest(pause)
	}
}

// show draws part of the picture on the canvas.
func (p *page) show(frame *image.RGBA, dirty image.Rectangle) {
	p.buf = pack(p.buf, frame, dirty)
	if len(p.buf) == 0 {
		return
	}
	if p.array.IsUndefined() || p.array.Get("length").Int() < len(p.buf) {
		p.array = js.Global().Get("Uint8ClampedArray").New(len(p.buf))
	}
	if p.pictures == 0 { // loading is complete
		say("")
		js.Global().Get("whorl").Set("first", js.Global().Get("performance").Call("now"))
	}
	js.CopyBytesToJS(p.array, p.buf)
	part := p.array.Call("subarray", 0, len(p.buf))
	data := js.Global().Get("ImageData").New(part, dirty.Dx(), dirty.Dy())
	p.context.Call("putImageData", data, dirty.Min.X, dirty.Min.Y)
	p.pictures++
}

// report publishes progress counters in the page, for tests.
func (p *page) report() {
	w := js.Global().Get("whorl")
	w.Set("steps", p.heartbeat)
	w.Set("pictures", p.pictures)
}

// rest publishes how long the viewer will stay idle.
func (p *page) rest(d time.Duration) { js.Global().Get("whorl").Set("rest", d.Seconds()) }

var cursors = [...]string{
	ui.Arrow: "default", ui.Hand: "pointer", ui.Beam: "text", ui.Cross: "crosshair", ui.Grab: "grabbing",
	ui.ResizeColumns: "col-resize", ui.ResizeRows: "row-resize",
}

// say shows a message of the page above the picture; "" removes it.
func say(words string) { js.Global().Get("whorl").Call("say", words) }
