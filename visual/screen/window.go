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

	"whorl/internal/files"
	"whorl/visual/app"
	"whorl/visual/app/outbox"
	"whorl/visual/sound"
	"whorl/visual/ui"
)

// Run shows the viewer in a window until the window is closed or ctx ends. A process calls it once, on its main
// goroutine.
//
// Ebitengine's loop only polls mouse and keys and draws pixels. The viewer steps on its own goroutine, so that a long
// step loses no click.
func Run(ctx context.Context, v Viewer, o Options) error {
	w := &window{
		stage: newStage(v, o), scale: o.Scale, start: time.Now(),
		wake: o.Wake, painted: make(chan struct{}, 1), done: make(chan struct{}), title: o.Title,
		speaker: sync.OnceValues(openSpeaker), sink: silence{},
	}
	if w.wake == nil {
		w.wake = make(chan struct{}, 1)
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
	w.files.Abandon()
	_ = w.sink.Close() // it has nothing to flush
	if err != nil && !w.seen {
		return fmt.Errorf("%w: %w", ErrNoWindow, err)
	}
	return err
}

// A window is Ebitengine's game and the goroutine that steps the viewer. The mutexes mu and glass guard the state
// they share.
type window struct {
	stage   *stage
	queue   queue
	input   devices
	scale   float64 // as in Options; 0 for the monitor's
	start   time.Time
	wake    chan struct{} // requests a step
	painted chan struct{} // there is a new picture
	done    chan struct{}
	title   string // current title
	files   files.Writer
	speaker func() (sound.Sink, error) // opens the system's device once

	mu     sync.Mutex // never held for long
	now    surroundings
	cursor ui.Cursor
	wanted string // title requested by the viewer
	quit   bool
	sink   sound.Sink

	glass sync.Mutex // held while the picture is painted
	frame *image.RGBA
	dirty image.Rectangle // part of frame that is not on the screen yet

	// Used only by Ebitengine's goroutine.
	seen   bool        // it has drawn
	drawn  image.Point // size of the screen drawn last
	buf    []byte
	active time.Time // time of the last event
}

// surroundings describe the window to the viewer.
type surroundings struct {
	w, h   int // size in pixels
	scale  float64
	hidden bool
}

// LayoutF makes a pixel of the screen a pixel of the picture.
func (w *window) LayoutF(outsideW, outsideH float64) (float64, float64) {
	s := scaleOf(ebiten.Monitor().DeviceScaleFactor())
	pw, ph := math.Ceil(outsideW*s), math.Ceil(outsideH*s)
	if w.scale > 0 {
		s = w.scale
	}
	w.surround(func(n *surroundings) { n.w, n.h, n.scale = int(pw), int(ph), scaleOf(s) })
	return max(pw, 1), max(ph, 1)
}

// Layout is required by Ebitengine's interface, which calls LayoutF instead.
func (w *window) Layout(outsideW, outsideH int) (int, int) { return outsideW, outsideH }

// surround changes the surroundings and requests a step if they differ.
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

// end closes the window.
func (w *window) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.quit = true
}

// idlePause and busyPause are the pauses between polls, in addition to Ebitengine's 1/60 s, while nothing happens and
// while something does. A new picture ends a pause. Ebitengine presents the whole screen with each poll, which is
// expensive with a software GL.
const (
	idlePause = 40 * time.Millisecond
	busyPause = 20 * time.Millisecond
)

// rouse requests a step of the viewer.
func (w *window) rouse() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Update polls the devices.
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
	happened := w.input.look(now.scale, now.w, now.h, t, func(e app.Event) {
		e.Time = t.Sub(w.start)
		w.queue.add(e)
	})
	if happened {
		w.rouse()
	}
	if happened || w.input.held() || w.active.IsZero() {
		w.active = t
	}
	// A second after the last event the devices are polled less often. Ebitengine could wait for the next event
	// instead, but would then lose a press released before the poll.
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

// Draw draws the changed part of the picture. It does not wait for a picture being painted.
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
	if size := screen.Bounds().Size(); size != w.drawn { // a new screen is empty
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

// stepping steps the viewer on requests and when the viewer wants it, until the window is closed.
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
		pause, ok := w.stage.wait(next, time.Since(w.start))
		if !ok {
			pause = time.Hour
		}
		timer.Reset(max(pause, shortest))
	}
}

// shortest is the minimum time between two steps of an animated viewer.
const shortest = 4 * time.Millisecond

// step steps the viewer and carries out its requests.
func (w *window) step() (next time.Duration) {
	w.mu.Lock()
	now := w.now
	w.mu.Unlock()
	if now.scale == 0 { // before the first Layout
		return -1
	}
	in := app.Input{Now: time.Since(w.start), Scale: now.scale, Hidden: now.hidden, Events: w.queue.drain()}
	out := w.stage.step(in, now.w, now.h)
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
		w.quit = w.quit || a.Do == outbox.Quit
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

var shapes = map[ui.Cursor]ebiten.CursorShapeType{
	ui.Hand:          ebiten.CursorShapePointer,
	ui.Beam:          ebiten.CursorShapeText,
	ui.Cross:         ebiten.CursorShapeCrosshair,
	ui.Grab:          ebiten.CursorShapeMove,
	ui.ResizeColumns: ebiten.CursorShapeEWResize,
	ui.ResizeRows:    ebiten.CursorShapeNSResize,
}
