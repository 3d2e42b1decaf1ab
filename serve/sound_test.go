//go:build browser

package serve_test

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
)

// listener records how many buffers the page played, their loudest sample, and the length of the longest.
const listener = `(whorl.sounded = 0, whorl.peak = 0, whorl.longest = 0, (begin => AudioBufferSourceNode.prototype.start = function () {
	whorl.sounded++;
	for (const side of [0, 1]) for (const x of this.buffer.getChannelData(side)) whorl.peak = Math.max(whorl.peak, Math.abs(x));
	whorl.longest = Math.max(whorl.longest, this.buffer.duration);
	return begin.call(this);
})(AudioBufferSourceNode.prototype.start), true)`

// TestSoundInPage plays a run without sound and then with sound.
func TestSoundInPage(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	p.picture()
	eval[bool](p, listener)
	plays := func() { // for some pictures, or to the end
		t.Helper()
		p.until(fmt.Sprintf("whorl.pictures > %d || %s", eval[int](p, "whorl.pictures")+5, atRest))
	}
	p.do(chromedp.KeyEvent(" "))
	plays()
	p.do(chromedp.KeyEvent(" "))
	if n := eval[int](p, "whorl.sounded"); n != 0 {
		t.Errorf("%d sounds before sound was switched on", n)
	}
	p.do(chromedp.KeyEvent("M"), chromedp.KeyEvent(" "))
	p.until("whorl.sounded > 2")
	if peak, longest := eval[float64](p, "whorl.peak"), eval[float64](p, "whorl.longest"); peak < 0.03 || peak > 1 || longest < 0.18 || longest > 1.2 { // a slow step plays at most a second
		t.Errorf("the loudest sample is %v, and the longest sound lasts %v s", peak, longest)
	}
	p.do(chromedp.KeyEvent("M"))
	plays()
	n := eval[int](p, "whorl.sounded")
	plays()
	if now := eval[int](p, "whorl.sounded"); now != n {
		t.Errorf("%d sounds after sound was switched off", now-n)
	}
}

// TestNoSoundInPage opens the page in browsers without sound. A message appears, and the animation plays.
func TestNoSoundInPage(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	for _, without := range []string{"AudioContext = undefined", `AudioContext = class { constructor() { throw new Error("none") } }`} {
		eval[bool](p, "("+without+", true)")
		before := p.picture()
		p.do(chromedp.KeyEvent("M"))
		if differ(before, p.changed(before, 1e-9)) == 0 {
			t.Errorf("%s: no message", without)
		}
	}
	at := p.picture()
	p.do(chromedp.KeyEvent(" "))
	p.until(fmt.Sprintf("whorl.pictures > %d", eval[int](p, "whorl.pictures")+2))
	p.do(chromedp.KeyEvent(" "))
	if differ(at, p.picture()) == 0 {
		t.Error("the animation does not play")
	}
}

// surge records a run of 8 PEs. From half-way on, one of them sends four times as much, so that traffic grows fast at a
// single moment.
func surge(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "surge.whorl")
	w := must.Get(open.Create(path))(t)
	w.SetMeta(tracer.Meta{Program: "surge", PEs: 8})
	s := w.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	for r := range 600 {
		for pe := range int32(8) {
			bytes := int64(10)
			if pe == 3 && r >= 300 {
				bytes = 40
			}
			*s.Slot() = tracer.Event{Time: int64(r) * 1000, Kind: tracer.Send, PE: pe, Peer: (pe + 1) % 8, Ref: uint64(r*8) + uint64(pe) + 1, Value: bytes}
		}
	}
	must.Do(t, w.Close())
	return path
}

// The surge of traffic is heard, with a channel for each ear. When the picture is turned, the rest of the tone comes
// from its new direction. The browser's clock stands still meanwhile, so a slow machine does not matter.
func TestSoundOfBodiesInPage(t *testing.T) {
	p := openPage(t, server(t, surge(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("surge")`)
	p.picture()
	eval[bool](p, `(whorl.sounded = [], whorl.stopped = [], (begin => AudioBufferSourceNode.prototype.start = function (when) {
	const power = side => this.buffer.getChannelData(side).reduce((sum, x) => sum + x * x, 0);
	if (whorl.sounded.length == 0) {
		whorl.context = this.context;
		this.context.suspend();
	}
	whorl.sounded.push({when, left: power(0), right: power(1), long: this.buffer.duration});
	return begin.call(this, when);
})(AudioBufferSourceNode.prototype.start), (end => AudioBufferSourceNode.prototype.stop = function (when) {
	whorl.stopped.push(when);
	return end.call(this, when);
})(AudioBufferSourceNode.prototype.stop), true)`)
	type sounded struct{ When, Left, Right, Long float64 }
	last := func() (int, sounded) {
		all := eval[[]sounded](p, "whorl.sounded")
		return len(all), all[len(all)-1]
	}
	p.do(chromedp.KeyEvent("M"), chromedp.KeyEvent(" "))
	p.until("whorl.sounded.length > 0 && whorl.context.state == 'suspended'")
	p.do(chromedp.KeyEvent(" "))
	p.picture()
	// The picture moves until it pauses, and the tone with it: on a slow machine it is mixed more than once.
	n, first := last()
	if stopped := eval[int](p, "whorl.stopped.length"); stopped != n-1 || first.Left == 0 || first.Right == 0 || first.Left == first.Right || first.Long < 0.5 {
		t.Errorf("%d tones, %d mixed again, the last as %+v", n, stopped, first)
	}
	// turn turns the picture until the tone comes from another direction, and returns the rest of the tone and the
	// time from which it replaces the old one.
	turn := func(from sounded) (sounded, float64) {
		for range 18 {
			p.do(chromedp.KeyEvent(kb.ArrowLeft))
		}
		p.until(fmt.Sprintf("(s => Math.abs(Math.log(s.left / s.right / %g)) > 0.1 && whorl.stopped.length == whorl.sounded.length - 1)(whorl.sounded.at(-1))", from.Left/from.Right))
		p.picture()
		_, s := last()
		return s, eval[float64](p, "whorl.stopped.at(-1)")
	}
	turned, stopped := turn(first)
	if turned.When < first.When || turned.When > first.When+0.5 || stopped != turned.When || math.Abs(turned.When+turned.Long-first.When-first.Long) > 0.001 {
		t.Errorf("the rest of the tone %+v is %+v, from %v on", first, turned, stopped)
	}
	// After part of it was played, the rest comes from the new direction; on a slow machine nothing may be left.
	eval[bool](p, fmt.Sprintf("(whorl.context.resume().then(() => whorl.timer = setInterval(() => whorl.context.currentTime > %v && whorl.context.suspend(), 5)), true)", turned.When+0.1))
	p.until(fmt.Sprintf("whorl.context.currentTime > %v && whorl.context.state == 'suspended'", turned.When+0.1))
	if now := eval[float64](p, "whorl.context.currentTime"); now > turned.When+0.5 {
		t.Logf("%v s of the tone have sounded at once", now-turned.When)
		return
	}
	rest, stopped := turn(turned)
	if rest.When <= turned.When || rest.Long >= turned.Long || stopped != rest.When || math.Abs(rest.When+rest.Long-turned.When-turned.Long) > 0.001 {
		t.Errorf("the rest of the tone %+v is %+v, from %v on", turned, rest, stopped)
	}
}
