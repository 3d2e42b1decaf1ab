//go:build browser

package serve_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// openTouch opens the page on a device with a touch screen.
func openTouch(t *testing.T, url string, w, h int64, scale float64) *page {
	t.Helper()
	p := openPage(t, "about:blank", w, h, scale)
	p.do(chromedp.EmulateViewport(w, h, chromedp.EmulateScale(scale), chromedp.EmulateMobile, chromedp.EmulateTouch), chromedp.Navigate(url))
	p.until("whorl.pictures > 0")
	return p
}

// fingers sends the places of all fingers that are down after some of them have come, moved or gone.
func (p *page) fingers(kind input.DispatchTouchEventType, places ...[2]float64) {
	p.Helper()
	e := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	for i, place := range places {
		id := float64(i + 1)
		e.TouchPoints = append(e.TouchPoints, &input.TouchPoint{X: place[0], Y: place[1], ID: &id})
	}
	p.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, input.DispatchTouchEvent, e)
		return chromedp.Void{}, err
	})
}

// tap taps the page. The browser times the finger, so that no tap becomes a hold on a busy machine.
func (p *page) tap(x, y float64) {
	p.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, input.SynthesizeTapGesture, input.SynthesizeTapGestureParams{X: x, Y: y, TapCount: 1, GestureSourceType: "touch"})
		return chromedp.Void{}, err
	})
}

// middle returns the middle of a control of the viewer.
func (p *page) middle(role, name string) (x, y float64) {
	p.Helper()
	r := poll[[2]float64](p, fmt.Sprintf(`(() => {
		const e = document.querySelector('#controls [role=%s][aria-label^="%s"]');
		if (!e) return null;
		const r = e.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`, role, name))
	return r[0], r[1]
}

// TestFingersInPage taps, pans and pinches the picture of a page. The page itself neither zooms nor scrolls.
func TestFingersInPage(t *testing.T) {
	p := openTouch(t, server(t, pascal(t)), 820, 1180, 1)
	p.until(`document.title.startsWith("pascal")`)
	before := p.picture()
	at := func(x, y float64) [2]float64 { return [2]float64{x, y} }
	for _, c := range []struct {
		name string
		do   func()
		from float64 // share of the picture that changes
	}{
		{"tap", func() { p.tap(400, 400) }, 0.0005},
		{"pinch", func() {
			p.fingers("touchStart", at(350, 400), at(450, 400))
			for k := range 10 {
				p.fingers("touchMove", at(345-10*float64(k), 400), at(455+10*float64(k), 400))
			}
			p.fingers("touchEnd")
		}, 0.01},
		{"one finger", func() {
			p.fingers("touchStart", at(400, 400))
			for k := range 10 {
				p.fingers("touchMove", at(400-10*float64(k), 400+10*float64(k)))
			}
			p.fingers("touchEnd")
		}, 0.01},
	} {
		c.do()
		now := p.changed(before, c.from)
		if d := differ(before, now); d < c.from {
			t.Errorf("%s: %.4f of the picture changed, want %v at least", c.name, d, c.from)
		}
		before = now
	}
	if place := eval[[]float64](p, "[visualViewport.scale, scrollX, scrollY, visualViewport.offsetTop]"); place[0] != 1 || place[1] != 0 || place[2] != 0 || place[3] != 0 {
		t.Errorf("the page is zoomed or scrolled: %v", place)
	}
}

// TestKeyboardInPage taps a field of the viewer: the element that brings the keyboard of the screen gets the focus, and what is typed there arrives. It
// loses the focus with the field. A screen reader finds nothing wrong with the page of a phone.
func TestKeyboardInPage(t *testing.T) {
	p := openTouch(t, server(t), 390, 844, 2)
	const typing = `document.activeElement.id === "type"`
	if eval[bool](p, typing) {
		t.Error("the keyboard covers the page before anybody wants to type")
	}
	p.tap(p.middle("button", "Run"))
	p.tap(p.middle("textbox", "goal"))
	p.until(typing) // a tap on a field brings the keyboard
	p.accessible("a phone with a drawer")
	insert := func(text string) {
		p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, input.ImeSetComposition, input.ImeSetCompositionParams{Text: text, SelectionStart: int64(len(text)), SelectionEnd: int64(len(text))})
			return chromedp.Void{}, err
		})
	}
	value := func() string {
		return eval[string](p, `document.querySelector('#controls [role=textbox][aria-label^="goal"]').textContent`)
	}
	was := value()
	for _, word := range []string{"g", "go", "gone", "gon", ""} {
		insert(word)
		p.until(fmt.Sprintf(`document.querySelector('#controls [role=textbox][aria-label^="goal"]').textContent === %q`, was+word))
	}
	p.tap(200, 120)              // beside the panel
	p.until("!(" + typing + ")") // the keyboard goes with the field
}
