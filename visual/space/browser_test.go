//go:build browser

package space_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image/png"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"whorl/testdata/others"
	"whorl/visual/space"
	"whorl/visual/space/vrml"
	"whorl/visual/testdata/spacetest"
)

// pageX is a page that shows a world with X_ITE. It records messages, the times of the clock of the world, and the
// number of sounds.
const pageX = `<!doctype html><meta charset="utf-8"><title>world</title>
<style>html, body { margin: 0; height: 100%%; overflow: hidden } x3d-canvas { display: block; width: %dpx; height: %dpx }</style>
<x3d-canvas id="canvas" contentScale="1"></x3d-canvas>
<script src="/lib/x_ite/dist/x_ite.min.js"></script>
<script>
var ready = false, messages = [], parts = [], sounds = 0;
for (const how of ["warn", "error"]) { console[how] = (...words) => messages.push(words.join(" ")); }
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...a) { if (this.buffer) sounds++; return start.apply(this, a); };
X3D(async () => {
  window.browser = X3D.getBrowser(document.getElementById("canvas"));
  try {
    await browser.loadURL(new X3D.MFString("/world%s"));
    const clock = browser.currentScene.getNamedNode("Clock");
    clock.getField("fraction_changed").addFieldCallback("part", part => parts.push([performance.now() / 1000, part]));
  } catch (e) { messages.push(String(e)); }
  ready = true;
});
</script>`

const wide, high = 640, 480

// TestBrowser shows worlds in a browser for X3D and VRML. They must start automatically, stop and continue on clicks on
// the clock, show the bodies, and play each sound once.
func TestBrowser(t *testing.T) {
	_, folder := others.Node(t)
	var opts []chromedp.ExecAllocatorOption
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			opts = append(opts, chromedp.ExecPath(path))
			break
		}
	}
	if opts == nil {
		t.Skip("no Chromium")
	}
	opts = append(append(chromedp.DefaultExecAllocatorOptions[:], opts...), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(wide, high),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true), chromedp.Flag("ignore-gpu-blocklist", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-background-networking", true))
	browser, cancel := chromedp.NewExecAllocator(context.Background(), opts...) // outlives the test, so that its cleanup can run
	t.Cleanup(cancel)

	w := spacetest.Two()
	w.Length = 600
	w.Voices = []space.Voice{{Clip: silence(), Sounds: []space.Sound{{From: 0.001, To: 0.01, Body: 1, Pitch: 1.5}}}}
	for _, c := range []struct {
		ext   string
		write func(io.Writer, *space.World) error
	}{{".wrl", vrml.WriteVRML}, {".x3d", vrml.WriteX3D}} {
		t.Run(c.ext, func(t *testing.T) {
			var text bytes.Buffer
			if err := c.write(&text, w); err != nil {
				t.Fatal(err)
			}
			mux := http.NewServeMux()
			mux.Handle("/lib/", http.StripPrefix("/lib/", http.FileServer(http.Dir(folder))))
			mux.HandleFunc("/world"+c.ext, func(out http.ResponseWriter, _ *http.Request) {
				out.Header().Set("Content-Type", map[string]string{".wrl": "model/vrml", ".x3d": "model/x3d+xml"}[c.ext])
				_, _ = out.Write(text.Bytes())
			})
			mux.HandleFunc("/{$}", func(out http.ResponseWriter, _ *http.Request) { fmt.Fprintf(out, pageX, wide, high, c.ext) })
			server := httptest.NewServer(mux)
			defer server.Close()
			look(t, browser, server.URL, w)
		})
	}
}

func look(t *testing.T, browser context.Context, url string, w *space.World) {
	ctx, cancel := chromedp.NewContext(browser)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 15*time.Minute)
	defer cancel()
	do := func(steps ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(ctx, steps...); err != nil {
			t.Fatal(err)
		}
	}
	number := func(expression string) float64 {
		t.Helper()
		v, err := chromedp.Run(ctx, chromedp.Evaluate[float64](expression))
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		return v
	}
	until := func(expression string) {
		t.Helper()
		if _, err := chromedp.Run(ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(4*time.Minute))); err != nil {
			messages, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("messages.join('; ')"))
			t.Fatalf("%s stays false: %v; messages %q", expression, err, messages)
		}
	}
	var mu sync.Mutex
	var errors []string
	if err := chromedp.Listen(ctx, func(e any) {
		if e, ok := e.(*runtime.EventExceptionThrown); ok {
			mu.Lock()
			defer mu.Unlock()
			errors = append(errors, fmt.Sprint(e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		}
	}); err != nil {
		t.Fatal(err)
	}
	do(chromedp.EmulateViewport(wide, high), chromedp.Navigate(url))
	until("ready")
	until("parts.length > 3 && parts.at(-1)[1] > 0.002") // it plays, and a sound has begun

	// Find the clock in the picture. The field of view applies to the smaller side.
	clock, _ := w.Clock()
	scale := high / 2 / math.Tan(space.Angle/2) / w.Away()
	x, y := wide/2+clock[0]*scale, high/2-clock[1]*scale
	frame := func() { // waits for three frames
		t.Helper()
		number("(window.seen = 0, window.next = () => ++seen < 3 && requestAnimationFrame(next), next(), 0)")
		until("seen == 3")
	}
	click := func() {
		t.Helper()
		do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
		frame()
		do(chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.Button("left"), chromedp.ClickCount(1)))
		frame()
		do(chromedp.MouseEvent(chromedp.MouseReleased, x, y, chromedp.Button("left"), chromedp.ClickCount(1)))
		frame()
	}
	click()
	frame() // the clock may still report the time of the stop
	n := number("parts.length")
	const pause = "Math.max(2, 4 * Math.max(...parts.slice(-6).map((p, i, last) => i ? p[0] - last[i - 1][0] : 0)))"
	number("window.stopped = performance.now(), 0")
	until("performance.now() > stopped + 1000 * " + pause)
	if m := number("parts.length"); m != n {
		t.Errorf("clock reported the time %v more times after it stopped", m-n)
	}
	click()
	until(fmt.Sprintf("parts.length > %v + 3", n))
	gap, went := number(fmt.Sprintf("parts[%v][0] - parts[%v][0]", n, n-1)), number(fmt.Sprintf("(parts[%v][1] - parts[%v][1]) * %g", n, n-1, w.Length))
	if !(went >= 0 && went < gap/2) {
		t.Errorf("after a pause of %.2f s the time continued %.2f s later", gap, went)
	}
	if n := number("sounds"); n != 1 {
		t.Errorf("%v sounds, want 1", n)
	}
	b, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	var red, blue int // pixels of the two bodies
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			if r > 2*b && r > 2*g {
				red++
			} else if b > 2*r && b > 2*g {
				blue++
			}
		}
	}
	if round := math.Pi * math.Pow(w.Bodies[0].Radius[0]*scale, 2); float64(red) < round/2 || float64(red) > 1.5*round || blue < red/20 || blue > red {
		t.Errorf("%d red pixels, %d blue pixels; want about %.0f red ones", red, blue, round)
	}
	messages, err := chromedp.Run(ctx, chromedp.Evaluate[string]("messages.join('; ')"))
	mu.Lock()
	defer mu.Unlock()
	if err != nil || messages != "" || len(errors) > 0 {
		t.Errorf("%v; messages %s; exceptions %q", err, messages, errors)
	}
}

// silence returns a WAV file of a tenth of a second.
func silence() []byte {
	u16, u32 := binary.LittleEndian.AppendUint16, binary.LittleEndian.AppendUint32
	b := u32(append(u32([]byte("RIFF"), 36+800), "WAVEfmt "...), 16)
	b = u16(u16(u32(u32(u16(u16(b, 1), 1), 8000), 8000), 1), 8)
	return append(u32(append(b, "data"...), 800), bytes.Repeat([]byte{128}, 800)...)
}
