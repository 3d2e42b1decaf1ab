//go:build browser

package serve_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// axe is the checker of accessibility that tools/test-viewer.sh installs.
const axe = "../bin/axe/node_modules/axe-core/axe.min.js"

// accessible fails the test if axe finds something serious or critical in the page.
func (p *page) accessible(where string) {
	p.Helper()
	script, err := os.ReadFile(axe)
	if err != nil {
		p.Logf("without axe-core: %v", err)
		return
	}
	eval[bool](p, string(script)+"; true")
	eval[bool](p, `axe.run().then(r => { whorl.found = r.violations.filter(v => v.impact == "serious" || v.impact == "critical")
		.map(v => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html).join(" ")).join("\n"); }), delete whorl.found`)
	p.until("whorl.found !== undefined")
	if found := eval[string](p, "whorl.found"); found != "" {
		p.Errorf("%s: axe finds\n%s", where, found)
	}
}

// TestTwin reads the page as a screen reader does: controls that can be pressed, and tables of what the picture shows.
func TestTwin(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	p.until(`document.querySelector("#twin section table") !== null`)
	words := eval[string](p, `document.getElementById("twin").textContent`)
	for _, want := range []string{"Kaleidoscope of pascal", "Things in the picture", "PE 0", "2,235"} {
		if !strings.Contains(words, want) {
			t.Errorf("the twin lacks %q: %.600s", want, words)
		}
	}
	p.accessible("a trace")

	const named = `[...document.querySelectorAll("#controls [role=%s]")].find(e => e.getAttribute("aria-label").startsWith(%q))`
	control := func(role, name string) string {
		return strings.NewReplacer("%s", role, "%q", `"`+name+`"`).Replace(named)
	}
	p.until(control("tab", "Kaleidoscope") + `.getAttribute("aria-selected") == "true"`)
	before := p.picture()
	eval[bool](p, "("+control("button", "Run")+".click(), true)")
	p.changed(before, 0.05)
	p.until(control("button", "program") + ` !== undefined`)
	p.accessible("the panel of runs")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.until(`document.getElementById("spoken").textContent != ""`)
	p.do(chromedp.KeyEvent(kb.F1))
	p.until(control("button", "Run") + " === undefined")
	p.accessible("the help")
}

// TestScheme opens the page in a browser that prefers dark colours, and then light ones.
func TestScheme(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	light := p.picture()
	prefer := func(scheme string) {
		p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			return chromedp.Void{}, err
		})
	}
	prefer("dark")
	dark := p.changed(light, 0.5)
	if c := dark.NRGBAAt(500, 10); c.R > 80 {
		t.Errorf("the bar has the colour %v in the dark", c)
	}
	prefer("light")
	if d := differ(light, p.changed(dark, 0.5)); d > 0.01 {
		t.Errorf("light again, %.4f of the picture differs", d)
	}
}
