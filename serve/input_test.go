//go:build browser

package serve_test

import (
	"context"
	"image"
	"image/draw"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPointerAndKeys compares how much of the picture changes after input with the expected share.
func TestPointerAndKeys(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	before := p.picture()
	for _, c := range []struct {
		name     string
		do       []chromedp.Action[chromedp.Void]
		from, to float64 // share of the picture that changes
	}{
		{"key 2", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent("2")}, 0.002, 1},
		{"wheel", []chromedp.Action[chromedp.Void]{wheel(500, 330, -300)}, 0.01, 1},
		{"drag", []chromedp.Action[chromedp.Void]{
			chromedp.MouseEvent(chromedp.MousePressed, 400, 300, chromedp.Button("left"), chromedp.ClickCount(1)),
			chromedp.MouseEvent(chromedp.MouseMoved, 430, 340, chromedp.Button("left")),
			chromedp.MouseEvent(chromedp.MouseMoved, 450, 360, chromedp.Button("left")),
			chromedp.MouseEvent(chromedp.MouseReleased, 450, 360, chromedp.Button("left"), chromedp.ClickCount(1)),
		}, 0.01, 1},
		{"nothing", nil, 0, 0},
		{"fit", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent("0")}, 0.01, 1},
		{"pinch", []chromedp.Action[chromedp.Void]{pinch(300, 300, -20)}, 0.01, 1},
		{"pinch back", []chromedp.Action[chromedp.Void]{pinch(300, 300, 20)}, 0.01, 1},
		{"fit again", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent("0")}, 0, 0.3},
		{"a key that means nothing", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent(kb.F8)}, 0, 0},
	} {
		p.do(c.do...)
		now := p.changed(before, c.from)
		if d := differ(before, now); d < c.from || d > c.to {
			t.Errorf("%s: %.4f of the picture changed, want %v to %v", c.name, d, c.from, c.to)
		}
		before = now
	}
}

func wheel(x, y, dy float64) chromedp.Action[chromedp.Void] {
	return chromedp.MouseEvent("mouseWheel", x, y, func(e *input.DispatchMouseEventParams) { e.DeltaX, e.DeltaY = 1e-9, dy })
}

// pinch sends the events of a two-finger pinch on a touch pad.
func pinch(x, y, dy float64) chromedp.Action[chromedp.Void] {
	return chromedp.MouseEvent("mouseWheel", x, y, func(e *input.DispatchMouseEventParams) {
		e.DeltaX, e.DeltaY, e.Modifiers = 1e-9, dy, int64(kb.ModifierCtrl)
	})
}

// TestTyped compares text from a picker and composed text with typed text.
func TestTyped(t *testing.T) {
	p := openPage(t, server(t), 1024, 640, 1)
	p.until("whorl.pictures > 0")
	p.do(chromedp.KeyEvent("R"))
	goal := func(do ...chromedp.Action[chromedp.Void]) *image.NRGBA {
		x, y := field(t, p.glance(), 3)
		p.do(chromedp.MouseClickXY(x, y), chromedp.KeyEvent("a", chromedp.KeyModifiers(kb.ModifierCtrl)), chromedp.KeyEvent(kb.Delete))
		p.do(do...)
		p.do(chromedp.KeyEvent("z"), chromedp.KeyEvent(kb.Backspace)) // the caret is in the field, blinking or not
		m := p.glance()
		out := image.NewNRGBA(image.Rect(0, 0, 180, 20))
		draw.Draw(out, out.Rect, m, image.Pt(92, int(y)-10), draw.Src)
		return out
	}
	keys := goal(chromedp.KeyEvent("go(5, X)"))
	picked := func(text string) chromedp.Action[chromedp.Void] {
		return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
			return chromedp.Void{}, err
		}
	}
	composing := func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, input.ImeSetComposition, input.ImeSetCompositionParams{Text: "go(4", SelectionStart: 4, SelectionEnd: 4})
		return chromedp.Void{}, err
	}
	for _, c := range []struct {
		name string
		do   chromedp.Action[chromedp.Void]
	}{
		{"a picker", picked("go(5, X)")},
		{"composed", chromedp.Steps(composing, picked("go(5, X)"))},
	} {
		if d := differ(keys, goal(c.do)); d > 0.01 { // at most a caret
			t.Errorf("%s: %.4f of the field differs", c.name, d)
		}
	}
	if d := differ(keys, goal(picked("日本語(5, X)"))); d < 0.02 {
		t.Errorf("other letters differ only in %.4f of the field", d)
	}
}
