//go:build browser

package serve_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"whorl/testdata/must"
)

// hasTab is an expression that is true while the window has a tab with a name.
func hasTab(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("#controls [role=tab]")].some(e => e.getAttribute("aria-label").startsWith(%q))`, name)
}

// detach presses the key that moves the focused pane to a window of its own, and returns that window.
func (p *page) detach(trace string) *page {
	p.Helper()
	opened := chromedp.WaitNewTarget(p.ctx, func(i *target.Info) bool { return strings.HasSuffix(i.URL, "#detached") })
	p.do(chromedp.KeyEvent("J"))
	var id target.ID
	select {
	case id = <-opened:
	case <-time.After(enough):
		p.Fatal("there is no other window")
	}
	other := newTab(p.T, chromedp.WithTargetID(id))
	other.listen()
	other.until(fmt.Sprintf("document.title.startsWith(%q)", trace))
	return other
}

// TestDetachInPage moves a pane to a pop-up and back. A click in either window selects in both.
func TestDetachInPage(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	before := p.picture()
	other := p.detach("pascal")
	p.until("!" + hasTab("Kaleidoscope"))
	other.until(hasTab("Kaleidoscope"))
	left := p.picture()
	if d := differ(before, left); d < 0.05 {
		t.Errorf("without the pane, %.4f of the window differs", d)
	}
	apart := other.picture()
	if n := colours(apart); n < 20 {
		t.Errorf("the pop-up has a picture of %d colours", n)
	}
	w, h := float64(apart.Rect.Dx()), float64(apart.Rect.Dy())
	other.do(chromedp.MouseClickXY(w*0.45, h*0.5))
	if d := differ(left, p.changed(left, 0.001)); d < 0.001 {
		t.Errorf("after a selection in the pop-up, %.4f of the window differs", d)
	}
	selected := other.picture()
	p.do(chromedp.KeyEvent("\x1b")) // the window that opened it has no selection any more
	if d := differ(selected, other.changed(selected, 0.001)); d < 0.001 {
		t.Errorf("without a selection in the window, %.4f of the pop-up differs", d)
	}
	other.quiet()
	eval[bool](other, "setTimeout(close), true")
	p.until(hasTab("Kaleidoscope"))
}

// TestDetachDroppedFile moves a pane of a dropped file to a pop-up, which reads the file from the page that has it. A pop-up that is loaded again
// closes.
func TestDetachDroppedFile(t *testing.T) {
	p := openPage(t, server(t), 1024, 640, 1)
	p.until("whorl.pictures > 0")
	eval[bool](p, fmt.Sprintf(`(() => {
		const d = new DataTransfer();
		d.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], "my run.whorl"));
		return window.dispatchEvent(new DragEvent("drop", {dataTransfer: d, clientX: 300, clientY: 300, cancelable: true}));
	})()`, base64.StdEncoding.EncodeToString(must.Get(os.ReadFile(pascal(t)))(t))))
	p.until(`document.title.startsWith("my run")`)
	p.picture()
	other := p.detach("my run")
	if n := colours(other.picture()); n < 20 {
		t.Errorf("the pop-up has a picture of %d colours", n)
	}
	if urls := eval[string](other, `performance.getEntriesByType("resource").map(e => e.name).join(" ")`); strings.Contains(urls, "whorl.json") {
		t.Errorf("the pop-up loads %s", urls)
	}
	other.quiet()
	eval[bool](other, "setTimeout(() => location.reload()), true")
	p.until(hasTab("Kaleidoscope"))
}

// TestDetachBlocked: a browser that blocks pop-ups leaves the pane where it is, and the page says what to do.
func TestDetachBlocked(t *testing.T) {
	p := openWith(t, server(t, pascal(t)), 1024, 640, 1, "window.open = () => null")
	p.until(`document.title.startsWith("pascal")`)
	p.picture()
	p.do(chromedp.KeyEvent("J"))
	p.until(`document.querySelector("main").outerHTML.includes("allow pop-ups for this page") && ` + hasTab("Kaleidoscope"))
}
