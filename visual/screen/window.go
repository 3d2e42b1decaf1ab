//go:build window && !js

package screen

import (
	"context"
	"fmt"
	"image"
	"math"
	"sync"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"whorl/experiment"
	"whorl/visual/app"
	"whorl/visual/sound"
)

// Run shows the viewer in a window until it is closed or the context ends. It is called once in a process, on its main goroutine.
//
// Ebitengine's loop does no more than look at the mouse and the keys and put pixels on the screen; the viewer steps on a goroutine of its
// own, so that a step that takes long loses no click.
func Run(ctx context.Context, v Viewer, o Options) error {
	w := &window{
		stage: newStage(v, o), scale: o.Scale, start: time.Now(),
		wake: make(chan struct{}, 1), painted: make(chan struct{}, 1), done: make(chan struct{}), title: o.Title,
		speaker: sync.OnceValues(openSpeaker), sink: sound.Null{},
	}
	ebiten.SetWindowTitle(o.Title)
	ebiten.SetWindowSize(max(o.W, 1), max(o.H, 1))
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetVsyncEnabled(false)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	var steps sync.WaitGroup
	steps.Go(w.stepping)
	defer context.AfterFunc(ctx, w.end)()
	err := ebiten.RunGameWithOptions(w, &ebiten.RunGameOptions{X11ClassName: "Whorl", X11InstanceName: "whorl-view"})
	close(w.done)
	steps.Wait()
	w.files.GiveUp()
	_ = w.sink.Close() // it has nothing to keep
	if err != nil && !w.seen {
		return fmt.Errorf("%w: %w", ErrNoWindow, err)
	}
	return err
}

// A window is Ebitengine's game and the goroutine that steps the viewer. What both use is behind mu and glass.
type window struct {
	stage   *stage
	queue   queue
	input   devices
	scale   float64 // as asked for; 0 for the monitor's
	start   time.Time
	wake    chan struct{} // something has happened
	painted chan struct{} // there is a new picture
	done    chan struct{}
	title   string // shown now
	files   experiment.Files
	speaker func() (sound.Sink, error) // that of the system, opened when it is first asked for

	mu     sync.Mutex // held for moments
	now    surroundings
	cursor app.Cursor
	wanted string // title
	quit   bool
	sink   sound.Sink

	glass sync.Mutex // held while the picture is painted
	frame *image.RGBA
	dirty image.Rectangle // of the frame, not yet on the screen

	// Of Ebitengine's goroutine alone.
	seen   bool        // it has drawn
	drawn  image.Point // the size of the screen that was drawn last
	buf    []byte
	active time.Time // when something happened last
}

// surroundings is what the viewer is told about its window.
type surroundings struct {
	w, h   int // pixels
	scale  float64
	hidden bool
}

// LayoutF makes one pixel of the screen one pixel of the picture.
func (w *window) LayoutF(outsideW, outsideH float64) (float64, float64) {
	s := scaleOf(ebiten.Monitor().DeviceScaleFactor())
	pw, ph := math.Ceil(outsideW*s), math.Ceil(outsideH*s)
	if w.scale > 0 {
		s = w.scale
	}
	w.surround(func(n *surroundings) { n.w, n.h, n.scale = int(pw), int(ph), scaleOf(s) })
	return max(pw, 1), max(ph, 1)
}

// Layout is there for Ebitengine's interface; LayoutF is what it calls.
func (w *window) Layout(outsideW, outsideH int) (int, int) { return outsideW, outsideH }

// surround changes the surroundings and steps the viewer if that made a difference.
func (w *window) surround(change func(*surroundings)) {
	w.mu.Lock()
	before := w.now
	change(&w.now)
	changed := w.now != before
	w.mu.Unlock()
	if changed {
		w.rouse()
	}
}

// end closes the window soon.
func (w *window) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.quit = true
}

// idlePause and busyPause are how long the devices are left alone, beside Ebitengine's own 1/60 s, when nothing happens and when something
// does, unless there is a new picture: with each look Ebitengine shows the whole screen, which a software GL pays for.
const (
	idlePause = 40 * time.Millisecond
	busyPause = 20 * time.Millisecond
)

// rouse has the viewer stepped soon.
func (w *window) rouse() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Update looks at the devices.
func (w *window) Update() error {
	hidden := ebiten.IsWindowMinimized()
	w.surround(func(n *surroundings) { n.hidden = hidden })
	w.mu.Lock()
	now, cursor, title, quit := w.now, w.cursor, w.wanted, w.quit
	w.mu.Unlock()
	if quit {
		return ebiten.Termination
	}
	ebiten.SetCursorShape(shapes[cursor])
	if title != "" && title != w.title {
		w.title = title
		ebiten.SetWindowTitle(title)
	}
	t := time.Now()
	happened := w.input.look(now.scale, now.w, now.h, t, w.queue.add)
	if happened {
		w.rouse()
	}
	if happened || w.input.held() || w.active.IsZero() {
		w.active = t
	}
	// A second after something has happened the devices are looked at less often. Ebitengine could wait for the next event instead, but then it
	// forgets a press that was released before it looked.
	pause := busyPause
	if t.Sub(w.active) > time.Second {
		pause = idlePause
	}
	select {
	case <-w.painted:
	case <-time.After(pause):
	}
	return nil
}

// Draw brings to the screen what has changed. It does not wait for a picture that is being painted.
func (w *window) Draw(screen *ebiten.Image) {
	w.seen = true
	if !w.glass.TryLock() {
		return
	}
	defer w.glass.Unlock()
	if w.frame == nil {
		return
	}
	r := w.dirty
	if size := screen.Bounds().Size(); size != w.drawn { // a new screen, and empty
		w.drawn = size
		r = w.frame.Rect
	}
	r = r.Intersect(screen.Bounds()).Intersect(w.frame.Rect)
	w.dirty = image.Rectangle{}
	if r.Empty() {
		return
	}
	w.buf = pack(w.buf, w.frame, r)
	screen.SubImage(r).(*ebiten.Image).WritePixels(w.buf)
}

// stepping steps the viewer whenever something has happened or the viewer asked for it, until the window is closed.
func (w *window) stepping() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		select {
		case <-w.done:
			return
		case <-w.wake:
		case <-timer.C:
		}
		next := w.step()
		pause, ok := wait(next, time.Since(w.start))
		if !ok {
			pause = time.Hour
		}
		timer.Reset(max(pause, shortest))
	}
}

// shortest is the time between two steps of a viewer that moves by itself, or nearly so.
const shortest = 4 * time.Millisecond

// step is one step, and what it asks for.
func (w *window) step() (next time.Duration) {
	w.mu.Lock()
	now := w.now
	w.mu.Unlock()
	if now.scale == 0 { // before the first Layout
		return -1
	}
	in := app.Input{Now: time.Since(w.start), Scale: now.scale, Hidden: now.hidden, Events: w.queue.take()}
	out := w.stage.viewer.Step(sized(in, now.w, now.h))
	w.glass.Lock()
	if frame, dirty := w.stage.paint(in, out, now.w, now.h); frame != nil {
		if frame != w.frame {
			dirty = frame.Rect
		}
		w.frame, w.dirty = frame, w.dirty.Union(dirty)
	}
	w.glass.Unlock()
	w.mu.Lock()
	w.cursor, w.wanted = out.Cursor, out.Title
	sink := w.sink
	for _, a := range out.Asks {
		w.quit = w.quit || a.Do == app.Quit
	}
	w.mu.Unlock()
	if out.Ear != nil {
		sink.Hear(in.Now, *out.Ear)
	}
	if len(out.Sounds) > 0 {
		sink.Play(in.Now, out.Sounds)
	}
	for _, a := range out.Asks {
		w.fulfil(a)
	}
	select {
	case w.painted <- struct{}{}:
	default:
	}
	return out.Next
}

var shapes = map[app.Cursor]ebiten.CursorShapeType{
	app.Hand:          ebiten.CursorShapePointer,
	app.Beam:          ebiten.CursorShapeText,
	app.Cross:         ebiten.CursorShapeCrosshair,
	app.Grab:          ebiten.CursorShapeMove,
	app.ResizeColumns: ebiten.CursorShapeEWResize,
	app.ResizeRows:    ebiten.CursorShapeNSResize,
}
