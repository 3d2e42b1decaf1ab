package draw_test

import (
	"bytes"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/cmd/whorl/internal/cli"
	"whorl/testdata/must"
)

// TestFilm draws a run as numbered pictures and as a GIF: the first picture has less than the last, and the GIF lasts as long as it should. Wrong flags are
// reported before anything is written.
func TestFilm(t *testing.T) {
	dir := t.TempDir()
	film := func(args ...string) (status int, wrong string) {
		var out, err strings.Builder
		status = cli.Main(args, strings.NewReader(""), &out, &err)
		return status, err.String()
	}
	trace, folder, animation := filepath.Join(dir, "run.whorl"), filepath.Join(dir, "frames"), filepath.Join(dir, "run.gif")
	if status, wrong := film("run", "pascal", "12", "-o", trace); status != 0 {
		t.Fatal(wrong)
	}
	args := []string{"film", trace, "--view", "kaleidoscope", "--lasts", "250ms", "--rate", "12", "--size", "200x160", "--legend", "none"}
	for _, out := range []string{folder, animation} {
		if status, wrong := film(append(args, "-o", out)...); status != 0 {
			t.Fatal(wrong)
		}
	}
	part := filepath.Join(dir, "part")
	if status, wrong := film(append(args, "--filter", "pe = 0", "--select", "task < 5", "--color", "time", "-o", part)...); status != 0 {
		t.Fatal(wrong)
	}
	names := must.Get(filepath.Glob(filepath.Join(folder, "*.png")))(t)
	if len(names) != 3 || filepath.Base(names[2]) != "0003.png" {
		t.Fatalf("the pictures are %q", names)
	}
	ink := func(name string) (n int) {
		m := must.Get(png.Decode(bytes.NewReader(must.Get(os.ReadFile(name))(t))))(t)
		for y := range 160 {
			for x := range 200 {
				if r, g, b, _ := m.At(x, y).RGBA(); r+g+b < 3*0xf000 {
					n++
				}
			}
		}
		return n
	}
	if first, last := ink(names[0]), ink(names[2]); 2*first > last {
		t.Errorf("the first picture has %d pixels, the last %d", first, last)
	}
	if whole, filtered := ink(names[2]), ink(filepath.Join(part, "0003.png")); filtered >= whole {
		t.Errorf("the last picture has %d pixels, with PE 0 alone %d", whole, filtered)
	}
	g := must.Get(gif.DecodeAll(bytes.NewReader(must.Get(os.ReadFile(animation))(t))))(t)
	if len(g.Image) != 3 || g.Delay[0]+g.Delay[1]+g.Delay[2] != 25 || g.Image[0].Rect.Dx() != 200 {
		t.Errorf("the GIF has %d pictures with delays %v", len(g.Image), g.Delay)
	}
	for _, c := range []struct{ args, want string }{
		{"--view measures -o " + folder, "the view measures shows the whole run at every moment"},
		{"--view timeline -o " + folder + ".webm", `or as FILE.gif, not ".webm"`},
		{"--view timeline", "film needs a folder or a file to write"},
		{"--view timeline --rate 100 -o " + folder, "expected 1 to 60 pictures in a second"},
		{"--view timeline --lasts 1h -o " + folder, "expected 1 to 10000 pictures"},
		{"--view timeline --legend left -o " + folder, `place of the legend "left"`},
		{"--view timeline --background grey -o " + folder, `background "grey"`},
		{"--view timeline --select pr=1 -o " + folder, `there is no`},
		{"--view timeline --size 5x5 -o " + folder, "expected WIDTHxHEIGHT in pixels"},
		{"--view timeline --plays 1h..2h -o " + folder, "nothing happens in the time that the film plays"},
	} {
		if status, wrong := film(append([]string{"film", trace}, strings.Fields(c.args)...)...); status != 2 || !strings.Contains(wrong, c.want) {
			t.Errorf("%s: status %d, %s", c.args, status, wrong)
		}
	}
}
