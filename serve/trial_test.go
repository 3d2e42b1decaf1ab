//go:build browser

package serve_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// latencyAt is a script that presses the slider for the latency at a share of its length.
const latencyAt = `(() => {
	const slider = [...document.querySelectorAll("#controls [role=slider]")].find(e => e.getAttribute("aria-label") == "latency");
	const r = slider.getBoundingClientRect();
	const place = {clientX: r.x + %v * r.width, clientY: r.y + r.height / 2, pointerId: 1, isPrimary: true, bubbles: true};
	for (const name of ["pointermove", "pointerdown", "pointerup"])
		document.getElementById("picture").dispatchEvent(new PointerEvent(name, {...place, button: name == "pointermove" ? -1 : 0}));
	return true;
})()`

// TestWorkerIsStartedInAdvance checks that the panel for other settings has a worker ready for the next move of a slider: for the first one as soon as
// it opens, and for later ones when the last run has ended. A worker that could not be started is replaced by another at the next move.
func TestWorkerIsStartedInAdvance(t *testing.T) {
	for _, fails := range []bool{false, true} {
		p := openWith(t, server(t, pascal(t)), 1280, 800, 1, fmt.Sprintf(`globalThis.started = 0;
			globalThis.Worker = class extends Worker { constructor(url) { super(url); started++; } };
			globalThis.fetch = (of => (url, ...rest) => of(%v && started <= 1 && url == "runner.wasm.gz" ? "missing.gz" : url, ...rest))(globalThis.fetch)`, fails))
		p.until(`document.title.startsWith("pascal")`)
		p.picture()
		if n := eval[int](p, "started"); n != 0 {
			t.Errorf("%d workers before the panel is open", n)
		}
		p.do(chromedp.KeyEvent("W"))
		if fails {
			p.until("whorl.spare === null")
		} else {
			p.until("whorl.spare instanceof Worker")
		}
		p.picture()
		for k := 1; k <= 2; k++ {
			eval[bool](p, "(whorl.last = whorl.spare, true)")
			before := p.picture()
			eval[bool](p, fmt.Sprintf(latencyAt, float64(k)/3))
			p.until("whorl.workers > 0 || whorl.spare != whorl.last")
			p.changed(before, 0.001)
			p.until("whorl.workers == 0 && whorl.spare instanceof Worker && whorl.spare != whorl.last")
			want := k + 1
			if fails {
				want++
			}
			if n := eval[int](p, "started"); n != want {
				t.Errorf("fails %v, after %d runs: %d workers, want %d", fails, k, n, want)
			}
		}
	}
}

// TestReplayInThePage replays the trace of a Go program by the panel. The trace goes to one worker, which runs all its replays.
func TestReplayInThePage(t *testing.T) {
	p := openWith(t, server(t, "../testdata/traces/lock.trace"), 1280, 800, 1, `globalThis.started = 0;
		globalThis.Worker = class extends Worker { constructor(url) { super(url); started++; } }`)
	p.until(`document.title.startsWith("lock")`)
	p.picture()
	p.do(chromedp.KeyEvent("W"))
	p.until(`[...document.querySelectorAll("#controls [role=slider]")].some(e => e.getAttribute("aria-label") == "latency")`)
	before := p.picture()
	for _, at := range []float64{0.5, 0.9} {
		eval[bool](p, fmt.Sprintf(latencyAt, at))
		now := p.changed(before, 0.001)
		if differ(before, now) < 0.001 {
			t.Errorf("the pictures do not follow the latency at %v of its slider", at)
		}
		before = now
	}
	if n := eval[int](p, "whorl.workers"); n != 1 {
		t.Errorf("%d workers run", n)
	}
	if n := eval[int](p, "started"); n != 1 {
		t.Errorf("%d workers were started", n)
	}
}

// TestRankedGainsInThePage lists what the run of a Go program gains, and tries a row. One worker reads the trace, ranks, and replays.
func TestRankedGainsInThePage(t *testing.T) {
	p := openWith(t, server(t, "../testdata/traces/lock.trace"), 1280, 900, 1, `globalThis.started = 0;
		globalThis.Worker = class extends Worker { constructor(url) { super(url); started++; } }`)
	named := func(words string) string {
		return fmt.Sprintf(`[...document.querySelectorAll("#controls *")].find(e => e.getAttribute("aria-label")?.startsWith(%q))`, words)
	}
	press := func(words string) { eval[bool](p, "("+named(words)+".click(), true)") }
	p.until(`document.title.startsWith("lock")`)
	p.picture()
	p.do(chromedp.KeyEvent("W"))
	p.until(named("Ranked gains") + " != null")
	press("Ranked gains")
	p.until(named("wait mutex, 100 % less gains 38.6 %, at best ") + " != null")
	before := p.picture()
	press("wait mutex")
	if now := p.changed(before, 0.01); differ(before, now) < 0.01 {
		t.Error("the pictures do not show the program without waits for the mutex")
	}
	if n := eval[int](p, "started"); n != 1 {
		t.Errorf("%d workers were started", n)
	}
}
