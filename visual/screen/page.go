//go:build js

package screen

import (
	"context"
	"errors"
	"image"
	"math"
	"syscall/js"
	"time"

	"whorl/visual/app"
	"whorl/visual/sound"
)

// Run shows the viewer in the page that the program was loaded into and returns when the viewer quits. The page has a canvas "picture", a
// field "type" that takes what is typed, a field "file" that opens the browser's file dialog, and a function whorl.say for words of its
// own. Everything happens on one thread: listeners fill the queue, and the goroutine that called Run steps the viewer before the browser
// draws the next frame.
func Run(_ context.Context, v Viewer, o Options) error {
	p := newPage(v, o)
	if !p.context.Truthy() {
		return errors.New("the browser gives the page no canvas to draw on")
	}
	p.listen()
	p.measure()
	p.rouse()
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
	context  js.Value // 2d, of the canvas
	field    js.Value // takes what is typed
	chooser  js.Value // opens the file dialog

	w, h  int // pixels of the canvas
	scale float64
	x, y  float64 // of the pointer, in points
	lost  bool    // the browser has taken the canvas away
	blank bool    // the canvas shows nothing of the picture

	due       chan struct{} // step now
	expected  bool          // the browser was asked for a frame
	audio     *webAudio     // nil until it is first asked for
	sink      sound.Sink
	timer     *time.Timer // until the viewer wants to be stepped
	frame     js.Func
	buf       []byte
	array     js.Value // as long as the largest part painted so far
	cursor    app.Cursor
	title     string
	quit      bool
	pictures  int
	heartbeat int
}

func newPage(v Viewer, o Options) *page {
	d := js.Global().Get("document")
	p := &page{stage: newStage(v, o), document: d, due: make(chan struct{}, 1), sink: sound.Null{}}
	p.canvas = d.Call("getElementById", "picture")
	p.field = d.Call("getElementById", "type")
	p.chooser = d.Call("getElementById", "file")
	p.context = p.canvas.Call("getContext", "2d", map[string]any{"alpha": false})
	p.frame = js.FuncOf(func(js.Value, []js.Value) any {
		p.expected = false
		p.ready()
		return nil
	})
	p.timer = time.AfterFunc(time.Hour, p.rouse)
	return p
}

// ready lets Run step.
func (p *page) ready() {
	select {
	case p.due <- struct{}{}:
	default:
	}
}

func (p *page) hidden() bool { return p.document.Get("hidden").Bool() }

// rouse has the viewer stepped before the next frame. In a hidden page there are no frames, and it is stepped at once.
func (p *page) rouse() {
	p.rest(0)
	switch {
	case p.hidden():
		p.ready()
	case !p.expected:
		p.expected = true
		js.Global().Call("requestAnimationFrame", p.frame)
	}
}

// now is the page's clock.
func now() time.Duration {
	return time.Duration(js.Global().Get("performance").Call("now").Float() * float64(time.Millisecond))
}

// measure takes the size of the canvas, to the pixel of the device where the browser tells it, and the pixels to a point.
func (p *page) measure() {
	window := js.Global()
	p.scale = scaleOf(window.Get("devicePixelRatio").Float())
	w, h := p.canvas.Get("clientWidth").Float(), p.canvas.Get("clientHeight").Float()
	pw, ph := int(w*p.scale+0.5), int(h*p.scale+0.5)
	if p.near(pw, ph) {
		return // the observer knows better
	}
	p.resize(pw, ph)
}

// near says whether the canvas has that size, give or take a pixel.
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

// clean is called when the canvas has lost what it showed.
func (p *page) clean() {
	p.blank = true
	p.stage.stale = true
	p.rouse()
}

// step is one step, and what it asks for.
func (p *page) step() {
	if s := scaleOf(js.Global().Get("devicePixelRatio").Float()); s != p.scale { // not every browser says so by an event
		p.measure()
	}
	in := app.Input{Now: now(), Scale: p.scale, Hidden: p.hidden() || p.lost, Events: p.queue.take()}
	out, frame, dirty := p.stage.step(in, p.w, p.h)
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
	for _, a := range out.Asks {
		p.fulfil(a)
	}
	pause, ok := wait(out.Next, now())
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

// show puts part of the picture on the canvas.
func (p *page) show(frame *image.RGBA, dirty image.Rectangle) {
	p.buf = pack(p.buf, frame, dirty)
	if len(p.buf) == 0 {
		return
	}
	if p.array.IsUndefined() || p.array.Get("length").Int() < len(p.buf) {
		p.array = js.Global().Get("Uint8ClampedArray").New(len(p.buf))
	}
	if p.pictures == 0 { // no more loading
		say("")
		js.Global().Get("whorl").Set("first", js.Global().Get("performance").Call("now"))
	}
	js.CopyBytesToJS(p.array, p.buf)
	part := p.array.Call("subarray", 0, len(p.buf))
	data := js.Global().Get("ImageData").New(part, dirty.Dx(), dirty.Dy())
	p.context.Call("putImageData", data, dirty.Min.X, dirty.Min.Y)
	p.pictures++
}

// report leaves in the page how far the viewer is, for those who look after it.
func (p *page) report() {
	w := js.Global().Get("whorl")
	w.Set("steps", p.heartbeat)
	w.Set("pictures", p.pictures)
}

// rest leaves there how long the viewer will do nothing of its own accord.
func (p *page) rest(d time.Duration) { js.Global().Get("whorl").Set("rest", d.Seconds()) }

var cursors = [...]string{
	app.Arrow: "default", app.Hand: "pointer", app.Beam: "text", app.Cross: "crosshair", app.Grab: "grabbing",
	app.ResizeColumns: "col-resize", app.ResizeRows: "row-resize",
}

// say shows words of the page itself above the picture; "" takes them away.
func say(words string) { js.Global().Get("whorl").Call("say", words) }
