//go:build window && linux

package screen

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// enough bounds how long a test waits. It is long because the machine may be busy.
const enough = 4 * time.Minute

// A desk is an X server without a screen, with a window.
type desk struct {
	t     *testing.T
	dir   string
	env   []string
	cmd   *exec.Cmd
	lines chan string
	id    string // of the window
	x, y  int
}

func newDesk(t *testing.T, w, h int, scale float64) *desk {
	t.Helper()
	return newDeskOf(t, w, h, scale, "-noreset")
}

// newDeskOf returns a desk whose server has further options.
func newDeskOf(t *testing.T, w, h int, scale float64, options ...string) *desk {
	t.Helper()
	for _, name := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed: the window was not tested", name)
		}
	}
	d := &desk{t: t, dir: t.TempDir(), lines: make(chan string, 1000)}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command("Xvfb", append(options, "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", w, h), "-nolisten", "tcp", "-fbdir", d.dir)...)
	server.ExtraFiles = []*os.File{write}
	if err := server.Start(); err != nil {
		t.Skipf("Xvfb does not start (%v): the window was not tested", err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	write.Close()
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Skipf("Xvfb did not start (%v): the window was not tested", err)
	}
	d.env = append(os.Environ(), "DISPLAY=:"+strings.TrimSpace(number), "XAUTHORITY=/dev/null", childEnv+"="+d.dir, fmt.Sprintf("%s_SCALE=%v", childEnv, scale))
	d.cmd = exec.Command(os.Args[0])
	d.cmd.Env = d.env
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	d.cmd.Stderr = &stderr
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		d.cmd.Process.Kill()
		d.cmd.Wait()
		if t.Failed() {
			t.Log(stderr.String())
		}
	})
	go func() {
		defer close(d.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			d.lines <- s.Text()
		}
	}()
	if scale == 0 {
		scale = 1
	}
	if os.Getenv(traceEnv) == "" {
		d.await(fmt.Sprintf("size %gx%g@%g", 400/scale, 300/scale, scale)) // the size is in the monitor's points, of one pixel each
	}
	id := strings.TrimSpace(d.do("search", "--sync", "--onlyvisible", "--class", "Whorl"))
	for _, line := range strings.Split(d.do("getwindowgeometry", "--shell", id), "\n") {
		fmt.Sscanf(line, "X=%d", &d.x)
		fmt.Sscanf(line, "Y=%d", &d.y)
	}
	d.id = id
	return d
}

// do runs xdotool.
func (d *desk) do(args ...string) string {
	d.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = d.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// to moves the pointer to a pixel of the window.
func (d *desk) to(x, y int) {
	d.t.Helper()
	d.do("mousemove", strconv.Itoa(d.x+x), strconv.Itoa(d.y+y))
}

// await reads lines until the wanted ones have come in order, with others in between. It returns the lines.
func (d *desk) await(want ...string) (seen []string) {
	d.t.Helper()
	patience := time.After(enough)
	for len(want) > 0 {
		select {
		case line, ok := <-d.lines:
			if !ok {
				d.t.Fatalf("the window's process ended after %q; waited for %q", seen, want)
			}
			seen = append(seen, line)
			if line == want[0] {
				want = want[1:]
			}
		case <-patience:
			d.t.Fatalf("%q is missing; got %q", want, seen)
		}
	}
	return seen
}

// chord presses keys together and waits for the wanted lines, and until the window has noticed the release:
// Ebitengine reports a key as held for one poll too long, and two moves are seen in different polls. It returns all
// lines.
func (d *desk) chord(keys string, want ...string) (seen []string) {
	d.t.Helper()
	d.do("key", keys)
	seen = d.await(want...)
	for _, x := range []int{41, 40} {
		d.to(x, 30)
		seen = append(seen, d.await(fmt.Sprintf("move %d,30", x))...)
	}
	return seen
}

// within polls a condition and reports whether it becomes true in time.
func within(so func() bool) bool {
	for end := time.Now().Add(enough); ; time.Sleep(100 * time.Millisecond) {
		if so() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// resize sets the size of the window repeatedly until its picture has the size, because a new window may still get its
// initial size.
func (d *desk) resize(w, h int) {
	d.t.Helper()
	if !within(func() bool {
		d.do("windowsize", d.id, strconv.Itoa(w), strconv.Itoa(h))
		return d.painted().Rect.Size() == image.Pt(w, h)
	}) {
		d.t.Errorf("picture of %v, want %d by %d", d.painted().Rect.Size(), w, h)
	}
}

// painted returns the viewer's last picture, or an empty one.
func (d *desk) painted() *image.RGBA {
	d.t.Helper()
	b, err := os.ReadFile(filepath.Join(d.dir, "painted"))
	if errors.Is(err, fs.ErrNotExist) {
		return new(image.RGBA)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	m := image.NewRGBA(image.Rect(0, 0, int(binary.BigEndian.Uint32(b)), int(binary.BigEndian.Uint32(b[4:]))))
	copy(m.Pix, b[8:])
	return m
}

// screen returns the part of the X server's screen at the window, read from the server's memory, which has the format
// of xwd.
func (d *desk) screen(size image.Point) *image.RGBA {
	d.t.Helper()
	b, err := os.ReadFile(filepath.Join(d.dir, "Xvfb_screen0"))
	if err != nil {
		d.t.Fatal(err)
	}
	field := func(i int) int { return int(binary.BigEndian.Uint32(b[4*i:])) }
	pixels := b[field(0)+12*field(19):] // after the header and the colours
	stride := field(12)
	m := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			p := pixels[(d.y+y)*stride+4*(d.x+x):]
			copy(m.Pix[m.PixOffset(x, y):], []byte{p[2], p[1], p[0], 255})
		}
	}
	return m
}

// same waits until the window shows the last picture pixel for pixel, except for the pointer, which the X server
// draws.
func (d *desk) same() {
	d.t.Helper()
	var bad int
	var first image.Point
	var got, want *image.RGBA
	var x, y int
	for line := range strings.Lines(d.do("getmouselocation", "--shell")) {
		fmt.Sscanf(line, "X=%d", &x)
		fmt.Sscanf(line, "Y=%d", &y)
	}
	at := image.Pt(x-d.x, y-d.y)
	pointer := image.Rectangle{Min: at, Max: at}.Inset(-24)
	if within(func() bool {
		want = d.painted()
		got = d.screen(want.Rect.Size())
		bad = 0
		for i := 0; i < len(want.Pix); i += 4 {
			if [3]byte(got.Pix[i:]) == [3]byte(want.Pix[i:]) {
				continue
			}
			p := image.Pt(i/4%want.Rect.Dx(), i/4/want.Rect.Dx())
			if p.In(pointer) {
				continue
			}
			if bad == 0 {
				first = p
			}
			bad++
		}
		return bad == 0 && !want.Rect.Empty()
	}) {
		return
	}
	d.shoot("painted", want)
	d.shoot("screen", got)
	d.t.Errorf("%d pixels of the screen differ from the picture, the first at %v", bad, first)
}

// cpu returns the processor time of a process.
func cpu(t *testing.T, pid int) time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(b[strings.LastIndex(string(b), ")")+2:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
