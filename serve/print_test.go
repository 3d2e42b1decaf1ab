//go:build browser

package serve_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"whorl/testdata/must"
)

// TestPrint prints the page in a browser that prefers dark colours: shapes and letters on white paper, without an image of the canvas.
func TestPrint(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	light := p.picture()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
		return chromedp.Void{}, err
	})
	before := p.changed(light, 0.5)
	eval[bool](p, `addEventListener("afterprint", () => whorl.printed = true), addEventListener("beforeprint", () => {
		const all = [...document.querySelectorAll("#paper svg")];
		whorl.onPaper = all.map(e => e.querySelector("title").textContent + " on " + e.querySelector("path[fill], rect[fill]").getAttribute("fill")).join("; "); }), true`)
	var pdf []byte
	yes := true
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		r, err := cdp.Call(ctx, t, cdppage.PrintToPDF, cdppage.PrintToPDFParams{PrintBackground: &yes})
		if err == nil {
			pdf = []byte(r.Data)
		}
		return chromedp.Void{}, err
	})
	if dir := os.Getenv("WHORL_SCREENSHOTS"); dir != "" {
		must.Do(t, os.WriteFile(filepath.Join(dir, "print.pdf"), pdf, 0o666))
	}
	if got, want := eval[string](p, "whorl.onPaper"), "Kaleidoscope of pascal on #fff; Timeline of pascal on #fff; Source of pascal on #fff"; got != want {
		t.Errorf("on paper: %q, want %q", got, want)
	}
	if !bytes.HasPrefix(pdf, []byte("%PDF")) || bytes.Contains(pdf, []byte("/Subtype /Image")) {
		t.Errorf("%d bytes of PDF, with an image: %v", len(pdf), bytes.Contains(pdf, []byte("/Subtype /Image")))
	}
	lines, texts := 0, 0
	for _, part := range bytes.Split(pdf, []byte("stream\n"))[1:] {
		r, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			continue
		}
		content, _ := io.ReadAll(r)
		lines += bytes.Count(content, []byte(" l\n"))
		texts += bytes.Count(content, []byte("BT\n"))
	}
	if lines < 100 || texts < 10 {
		t.Errorf("%d lines and %d texts on the paper", lines, texts)
	}
	p.until("whorl.printed")
	if n := eval[int](p, `document.querySelectorAll("#paper svg").length`); n != 0 {
		t.Errorf("%d pictures remain in the page", n)
	}
	if d := differ(before, p.picture()); d > 0.01 {
		t.Errorf("after printing %.4f of the picture differs", d)
	}
}
