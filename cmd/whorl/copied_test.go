package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"whorl/cmd/whorl/internal/cli"
	"whorl/testdata/must"
	"whorl/visual/app"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/ui"
)

// A viewer plays the user of a window.
type viewer struct {
	*testing.T
	app  *app.App
	in   app.Input
	asks []outbox.Ask
}

// settle steps until the window has nothing to do for a while.
func (v *viewer) settle(events ...app.Event) {
	v.Helper()
	v.in.Events = events
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		v.in.Now += 10 * time.Millisecond
		out := v.app.Step(v.in)
		v.in.Events, v.asks = nil, append(v.asks, out.Asks...)
		if out.Next < 0 || out.Next > v.in.Now+300*time.Millisecond {
			return
		}
		time.Sleep(50 * time.Microsecond)
	}
	v.Fatal("the window does not come to rest")
}

// key presses a key and returns the last request of the window after it.
func (v *viewer) key(name string) outbox.Ask {
	v.Helper()
	v.asks = nil
	v.settle(app.Event{Kind: ui.Key, Key: name})
	if len(v.asks) == 0 {
		return outbox.Ask{}
	}
	return v.asks[len(v.asks)-1]
}

// TestCopiedCommandDrawsTheSame: the command that the window copies for a pane draws the picture that the window saves of it: the selection, the
// time window, the colours and the camera.
func TestCopiedCommandDrawsTheSame(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	title := regexp.MustCompile(`<title>[^<]*</title>\n`)
	run := func(line string) {
		t.Helper()
		var out, wrong strings.Builder
		if status := cli.Main(words(line)[1:], strings.NewReader(""), &out, &wrong); status != 0 {
			t.Fatalf("%s: exit status %d\n%s", line, status, &wrong)
		}
	}
	for _, c := range []struct {
		program, expression string
		panes               int
	}{
		{"fghc/pascal --pes 5", "pe in 1..3 and procedure ~ /^big/ and time > 1us", 4},
		{"hpf/lu --pes 3", "pe = 1 and line > 4", 3},
	} {
		run("whorl run " + c.program + " -o run.whorl")
		path := filepath.Join(folder, "run.whorl")
		v := &viewer{T: t, app: app.New(app.Options{Text: glyph.New()}), in: app.Input{W: 1400, H: 900, Scale: 1}}
		v.app.OpenFile(&documents.File{Name: "run.whorl", Path: path, Size: -1})
		v.settle()
		v.key("V")
		for _, r := range c.expression {
			v.settle(app.Event{Kind: ui.Text, Text: string(r)})
		}
		v.key("Enter") // after a right expression keys are commands
		for range c.panes {
			for _, name := range []string{"+", "ArrowRight"} {
				v.key(name)
			}
			command := v.key("Y")
			v.key("P")
			picture := v.key("Enter")
			if command.Do != outbox.CopyText || picture.Do != outbox.SaveFile || !strings.Contains(command.Text, "--select ") {
				t.Fatalf("%s: the window copies %q and saves %q", c.program, command.Text, picture.Name)
			}
			run(command.Text)
			drawn := must.Get(os.ReadFile(picture.Name))(t)
			if title.ReplaceAllString(string(drawn), "") != title.ReplaceAllString(string(picture.Data), "") {
				t.Errorf("the command draws another picture than the window: %s", command.Text)
			}
			v.key("]")
		}
		v.app.Close()
	}
}
