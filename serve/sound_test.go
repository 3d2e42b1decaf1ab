//go:build browser

package serve_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// listener notes how many buffers the page has had sounded, how loud their loudest sample was, and how long the longest lasts.
const listener = `(whorl.sounded = 0, whorl.peak = 0, whorl.longest = 0, (begin => AudioBufferSourceNode.prototype.start = function () {
	whorl.sounded++;
	for (const side of [0, 1]) for (const x of this.buffer.getChannelData(side)) whorl.peak = Math.max(whorl.peak, Math.abs(x));
	whorl.longest = Math.max(whorl.longest, this.buffer.duration);
	return begin.call(this);
})(AudioBufferSourceNode.prototype.start), true)`

// TestSoundInPage plays with the sound off, and then on.
func TestSoundInPage(t *testing.T) {
	p := open(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	p.picture()
	eval[bool](p, listener)
	p.do(chromedp.KeyEvent(" "))
	time.Sleep(time.Second)
	p.do(chromedp.KeyEvent(" "))
	if n := eval[int](p, "whorl.sounded"); n != 0 {
		t.Errorf("%d sounds though nobody has switched them on", n)
	}
	p.do(chromedp.KeyEvent("M"), chromedp.KeyEvent(" "))
	p.until("whorl.sounded > 10")
	if peak, longest := eval[float64](p, "whorl.peak"), eval[float64](p, "whorl.longest"); peak < 0.03 || peak > 1 || longest < 0.18 || longest > 1.2 { // a slow step plays a second at most
		t.Errorf("the loudest sample is %v, and the longest sound lasts %v s", peak, longest)
	}
	p.do(chromedp.KeyEvent("M"))
	time.Sleep(100 * time.Millisecond)
	n := eval[int](p, "whorl.sounded")
	time.Sleep(500 * time.Millisecond)
	if now := eval[int](p, "whorl.sounded"); now != n {
		t.Errorf("switched off it still sounds %d times", now-n)
	}
}

// TestNoSoundInPage: a browser without sound says so, and plays.
func TestNoSoundInPage(t *testing.T) {
	p := open(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	for _, without := range []string{"AudioContext = undefined", `AudioContext = class { constructor() { throw new Error("none") } }`} {
		eval[bool](p, "("+without+", true)")
		before := p.picture()
		p.do(chromedp.KeyEvent("M"))
		if differ(before, p.picture()) == 0 {
			t.Errorf("%s: nothing is said", without)
		}
	}
	at := p.picture()
	p.do(chromedp.KeyEvent(" "))
	time.Sleep(500 * time.Millisecond)
	p.do(chromedp.KeyEvent(" "))
	if differ(at, p.picture()) == 0 {
		t.Error("it does not play")
	}
}
