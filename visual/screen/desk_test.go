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

// enough is how long a test waits for what has to come: long, since a machine can have much else to do.
const enough = 4 * time.Minute

// A desk is an X server without a screen, and the window on it.
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
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", w, h), "-nolisten", "tcp", "-noreset", "-fbdir", d.dir)
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

// await reads lines until those wanted have come, in that order; others may stand between them. It returns what it read.
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
			d.t.Fatalf("%q has not come; %q has", want, seen)
		}
	}
	return seen
}

// chord presses keys together and waits for what is wanted, and until the window knows that they are up: Ebitengine tells that a key is held
// for one look longer than it is, and the second of two moves is seen in a later look than the first. It returns all that came.
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

// within looks again and again whether something is so, and says whether it was before it had waited enough.
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

// resize gives the window another size until its picture has it: a window that has only just come may yet take its first one.
func (d *desk) resize(w, h int) {
	d.t.Helper()
	if !within(func() bool {
		d.do("windowsize", d.id, strconv.Itoa(w), strconv.Itoa(h))
		return d.painted().Rect.Size() == image.Pt(w, h)
	}) {
		d.t.Errorf("a picture of %v, want %d by %d", d.painted().Rect.Size(), w, h)
	}
}

// painted is what the viewer's last picture was, or an empty one.
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

// screen is what the X server shows where the window is, read from its memory, which has the form of xwd.
func (d *desk) screen(size image.Point) *image.RGBA {
	d.t.Helper()
	b, err := os.ReadFile(filepath.Join(d.dir, "Xvfb_screen0"))
	if err != nil {
		d.t.Fatal(err)
	}
	field := func(i int) int { return int(binary.BigEndian.Uint32(b[4*i:])) }
	pixels := b[field(0)+12*field(19):] // behind the header and the colours
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

// same waits until the window shows, pixel for pixel, what was painted last; but for the pointer, which the X server draws on top.
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
	d.t.Errorf("%d pixels on the screen are not as painted, the first at %v", bad, first)
}

// cpu is the time of the processor that a process has used.
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
