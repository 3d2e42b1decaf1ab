package app

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/experiment"
	"whorl/internal/files"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/app/outbox"
	"whorl/visual/app/runs"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// asFile returns the workspace as a file.
func (d *driver) asFile() string {
	d.Helper()
	d.asks = nil
	d.key("s", ui.Control)
	for _, a := range d.asks {
		if a.Do == outbox.SaveFile {
			return string(a.Data)
		}
	}
	d.Fatal("no file is saved")
	return ""
}

func TestWorkspaceRoundTrip(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1400, 900, 1.5)
	panel := runs.NewPanel()
	r, err := panel.Run()
	if err != nil {
		t.Fatal(err)
	}
	d.app.launcher.Begin(r)
	d.until("the end", func() bool { return d.app.model.Focused() != nil && d.app.model.Focused().Live.Over })
	d.settle()
	p := d.paneOf("kaleidoscope")
	x, y := d.middle(p.Area)
	d.step(Event{Kind: ui.Wheel, X: x + 20, Y: y, DY: 2})
	d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(p.ID), Name: "color", Value: "time"})
	d.app.actions.Apply(view.Action{Do: view.Annotate, Name: p.Trace, Task: 1 << 63, Value: "the root"})
	d.app.actions.Apply(view.Action{Do: view.SetPalette, Name: "safe"})
	d.app.actions.Apply(view.Action{Do: view.SetSpeed, Index: -2})
	d.app.actions.Apply(view.Action{Do: view.SetDetail, Lines: &view.Lines{File: "program.fghc", First: 2, Last: 5}})
	d.app.actions.Apply(view.Action{Do: view.SetCamera, Pane: d.app.model.Index(d.paneOf("timeline").ID), Camera: &view.Camera{X: 5, Y: 2, Scale: 0.25, ScaleY: 3}})
	d.settle()
	d.key("|", 0)
	d.key("D", 0)
	text := d.asFile()

	// Another window with another scale opens the file and writes the same.
	e := drive(t, Options{Runner: native{}}, 1000, 700, 2)
	e.drop(file("mine.toml", text))
	e.until("the run", func() bool {
		return len(e.app.model.Docs.All()) == 1 && e.app.model.Focused() != nil && e.app.model.Focused().Live != nil && e.app.model.Focused().Live.Over
	})
	e.settle()
	if got := e.asFile(); got != text {
		t.Errorf("the workspace is saved again as\n%s\nwant\n%s", got, text)
	}
	if k := e.paneOf("kaleidoscope"); k.Picture() == nil || k.Values()["color"] != "time" || k.Values()["palette"] != "safe" || !e.app.model.Dark {
		t.Errorf("the pane has the parameters %v; the window is dark: %v", k.Values(), e.app.model.Dark)
	}
	if c := e.app.model.Pane(e.paneOf("timeline").ID).Camera; c != (view.Camera{X: 5, Y: 2, Scale: 0.25 / 1.5 * 2, ScaleY: 4}) {
		t.Errorf("the timeline's camera is %+v", c)
	}
	if l := e.app.model.State.Shared.Detail; l == nil || *l != (view.Lines{File: "program.fghc", First: 2, Last: 5}) {
		t.Errorf("the detail shows %+v", l)
	}
	if s := e.app.model.State.Shared.Speed; s != -2 {
		t.Errorf("the speed is %d", s)
	}
	if d.app.model.Focused().Source.Counts() != e.app.model.Focused().Source.Counts() {
		t.Error("the run that was made again has another trace")
	}

	// What is unknown in a file is reported and kept.
	e.drop(file("later.toml", strings.Replace(text, "version = 1", "version = 7\nfuture = \"yes\"", 1)))
	if !e.shows("later version (7)") || !strings.Contains(e.asFile(), "future = \"yes\"") {
		t.Errorf("a later version is not reported, or a key is lost:\n%s", e.texts())
	}
}

// writeTrace writes the trace of a small run to a file.
func writeTrace(t *testing.T, path string) {
	t.Helper()
	writeRun(t, path, "fghc/nrev")
}

// writeRun writes the trace of a program to a file.
func writeRun(t *testing.T, path, program string) {
	t.Helper()
	prepared, err := experiment.Defaults(program).Resolve()
	if err != nil {
		t.Fatal(err)
	}
	err = open.Write(new(files.Writer), path, func(rec tracer.Recorder) error { _, err := prepared.Run(t.Context(), rec, nil); return err })
	if err != nil {
		t.Fatal(err)
	}
}

// TestWorkspaceOfFiles reads traces by the paths of a workspace, in its folder and elsewhere.
func TestWorkspaceOfFiles(t *testing.T) {
	dir := t.TempDir()
	far := filepath.Join(t.TempDir(), "far.whorl")
	writeTrace(t, filepath.Join(dir, "near.whorl"))
	writeTrace(t, far)
	path := filepath.Join(dir, "saved.toml")
	text := "version = 1\n[[trace]]\nname = \"near\"\npath = \"near.whorl\"\n[[trace]]\nname = \"far\"\npath = \"" + far +
		"\"\n[[pane]]\nview = \"kaleidoscope\"\ntrace = \"near\"\n[[pane]]\nview = \"kaleidoscope\"\ntrace = \"far\"\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d := drive(t, Options{}, 1000, 700, 1)
	f := file(path, text)
	f.Path = path
	d.drop(f)
	d.until("both are open", func() bool { return d.app.model.Docs.Get("near") != nil && d.app.model.Docs.Get("far") != nil })
	d.settle()
	if n := d.app.model.Docs.Get("near").Source.Counts()[tracer.Reduce]; n == 0 || d.app.model.Docs.Get("far").Source.Counts()[tracer.Reduce] != n {
		t.Errorf("the trace has %d reductions", n)
	}
}

// TestAwaitedTraces: a missing trace of a workspace appears in its panes when its file is dropped. A trace that the workspace no longer has
// opens like any other file.
func TestAwaitedTraces(t *testing.T) {
	src := run(t, "qsort", 2, "")
	const gone = "path = \"/gone/x.whorl\"\n"
	for _, c := range []struct {
		name, lines string // of the trace x in the workspace
		message     string
		close       bool // the trace is closed before its file comes
		as, view    string
	}{
		{"nothing is known", "", "drop it on the window", false, "x", "timeline"},
		{"its file has gone", gone, "gone/x.whorl", false, "x", "timeline"},
		{"its run fails", "[trace.run]\nprogram = \"nosuch\"\n", "nosuch", false, "x", "timeline"},
		{"it is closed", "", "drop it on the window", true, "x", "kaleidoscope"},
	} {
		d := drive(t, Options{Runner: native{}}, 1000, 700, 1)
		d.drop(file("w.toml", "version = 1\n[[trace]]\nname = \"x\"\n"+c.lines+"[[pane]]\nview = \"timeline\"\ntrace = \"x\"\n"))
		if !d.shows(c.message) {
			t.Errorf("%s: the message %q is not shown:\n%s", c.name, c.message, d.texts())
		}
		if c.close {
			d.app.actions.Apply(view.Action{Do: view.CloseTrace, Name: "x"})
			d.settle()
		}
		d.drop(traceFile(t, "x.whorl", src))
		p := d.app.model.Panes[d.app.model.Focus]
		if p == nil || p.Trace != c.as || p.Kind.Name != c.view || p.Picture() == nil {
			t.Errorf("%s: the pane shows %+v", c.name, p)
		}
		if d.shows("is open, or the name is empty") {
			t.Errorf("%s: an error is shown where there is none:\n%s", c.name, d.texts())
		}
	}

	// A trace that is closed while its file is read is discarded.
	d := drive(t, Options{}, 1000, 700, 1)
	d.drop(file("w.toml", "version = 1\n[[trace]]\nname = \"x\"\n"))
	f, closed := traceFile(t, "x.whorl", src), make(chan bool)
	text := f.Read
	f.Read = func() (io.ReadCloser, error) { <-closed; return text() }
	d.app.model.Docs.Load(f, "x", documents.Search{})
	d.app.actions.Apply(view.Action{Do: view.CloseTrace, Name: "x"})
	close(closed)
	d.settle()
	if d.app.model.Docs.Loading() || len(d.app.model.Docs.All()) > 0 {
		t.Errorf("the closed trace is open: %v", d.app.model.Docs)
	}
}

// TestWorkspaceWithoutItsTraces: a trace that is not at its path is looked for beside the workspace. A missing one keeps its entry.
func TestWorkspaceWithoutItsTraces(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(t.TempDir(), "kept.whorl")
	writeTrace(t, filepath.Join(dir, "moved.whorl"))
	writeTrace(t, kept)
	text := "version = 1\n"
	for _, name := range []string{"moved", "gone"} {
		text += fmt.Sprintf("[[trace]]\nname = %q\npath = \"/no/such/%s.whorl\"\ncompared = 1\nglow = 3\n[[pane]]\nview = \"kaleidoscope\"\ntrace = %q\n", name, name, name)
	}
	d := drive(t, Options{}, 1000, 700, 1)
	f := file("saved.toml", text)
	f.Path = filepath.Join(dir, "saved.toml")
	d.drop(f)
	d.until("one is open, the other missed", func() bool {
		return d.app.model.Docs.Get("moved") != nil && d.app.model.Awaits("gone") && !d.app.model.Docs.Loading()
	})
	d.settle()
	if !d.shows("The file of gone was not found") {
		t.Errorf("the pane does not say that its trace is missing:\n%s", d.texts())
	}
	back := d.asFile()
	for _, want := range []string{"/no/such/gone.whorl", "path = \"moved.whorl\"", "compared = 1", "glow = 3"} {
		if !strings.Contains(back, want) {
			t.Errorf("the saved file has lost %q:\n%s", want, back)
		}
	}

	found := file("gone.whorl", "")
	found.Path = kept
	d.drop(found)
	d.until("the other is open", func() bool { return d.app.model.Docs.Get("gone") != nil })
	d.settle()
	if back := d.asFile(); !strings.Contains(back, "path = \"../") || !strings.Contains(back, "/kept.whorl") || len(d.app.model.IDs) != 2 || d.shows("was not found: drop it here") {
		t.Errorf("the window has %d panes and is saved as\n%s", len(d.app.model.IDs), back)
	}
}

// TestWorkspaceOfMovedFiles saves a workspace with a trace, then moves the file: it is found by its contents in a folder beside the workspace. A file that
// has changed is reported, and a lost one can be chosen in its pane.
func TestWorkspaceOfMovedFiles(t *testing.T) {
	dir := t.TempDir()
	trace, saved := filepath.Join(dir, "work", "first.whorl"), filepath.Join(dir, "work", "saved.toml")
	must.Do(t, os.Mkdir(filepath.Dir(trace), 0o700))
	writeTrace(t, trace)
	d := drive(t, Options{}, 1000, 700, 1)
	d.app.OpenFile(&documents.File{Name: "first.whorl", Path: trace, Size: -1})
	d.until("it is open", func() bool { return d.app.model.Docs.Get("first") != nil })
	d.app.saving.Write(saved)
	d.until("it is saved", func() bool { return len(d.asks) > 0 })
	text := string(d.asks[0].Data)
	if !strings.Contains(text, "path = \"first.whorl\"") || !strings.Contains(text, "sha256 = ") {
		t.Fatalf("the workspace is\n%s", text)
	}
	const changed, found = "has changed since the workspace was saved", "was found by its contents"
	// open opens the workspace. said has the messages of the way, which go after a while.
	open := func() (d *driver, said map[string]bool) {
		d, said = drive(t, Options{Disk: &memoryDisk{}}, 1000, 700, 1), map[string]bool{}
		f := file("saved.toml", text)
		f.Path = saved
		d.drop(f)
		listen := func() {
			said[changed] = said[changed] || d.shows(changed)
			said[found] = said[found] || d.shows(found)
		}
		d.until("its files are read", func() bool {
			listen()
			return !d.app.model.Docs.Loading() && !d.app.saving.Digests()
		})
		d.settle()
		listen()
		return d, said
	}
	if d, said := open(); d.app.model.Docs.Get("first") == nil || said[changed] || said[found] {
		t.Errorf("the file at its place is reported:\n%s", d.texts())
	}
	moved := filepath.Join(dir, "archive", "renamed.whorl")
	must.Do(t, os.Mkdir(filepath.Dir(moved), 0o700))
	must.Do(t, os.Rename(trace, moved))
	if d, said := open(); d.app.model.Docs.Get("first") == nil || d.app.model.Docs.Get("first").Path != moved || !said[found] {
		t.Errorf("the moved file is not found:\n%s", d.texts())
	}
	must.Do(t, os.Remove(moved))
	lost, _ := open()
	if !lost.shows("The file of first was not found") || !lost.shows(trace) {
		t.Errorf("the pane of a lost file shows\n%s", lost.texts())
	}
	lost.shot("missing")
	lost.on("Choose the file")
	if !lost.shows("/mine") {
		t.Errorf("no file can be chosen:\n%s", lost.texts())
	}
	writeRun(t, trace, "fghc/qsort")
	if d, said := open(); d.app.model.Docs.Get("first") == nil || !said[changed] {
		t.Errorf("a changed file is not reported:\n%s", d.texts())
	}
}

// TestWorkspaceInAPage: a page, which reads no paths, asks for the files of a workspace.
func TestWorkspaceInAPage(t *testing.T) {
	d := drive(t, Options{Fetch: func(string) *documents.File { return nil }}, 1000, 700, 1)
	d.drop(file("w.toml", "version = 1\n[[trace]]\nname = \"x\"\npath = \"runs/x.whorl\"\n[[pane]]\nview = \"timeline\"\ntrace = \"x\"\n"))
	if !d.shows("A page cannot read runs/x.whorl by its path") || !d.shows("The file of x was not found") {
		t.Errorf("the window shows\n%s", d.texts())
	}
	d.drop(traceFile(t, "x.whorl", run(t, "nrev", 2, "")))
	if d.app.model.Missing("x") || d.shows("A page cannot read") {
		t.Errorf("with the file, the window shows\n%s", d.texts())
	}
}

// TestUnknownViews: a pane of a view that this version does not have says so with the nearest names, and is written again.
func TestUnknownViews(t *testing.T) {
	d := drive(t, Options{}, 1000, 700, 1)
	d.drop(file("w.toml", "version = 1\n[[trace]]\nname = \"x\"\n[[pane]]\nview = \"timelin\"\ntrace = \"x\"\n[pane.params]\nglow = \"3\"\n"))
	if !d.shows("The file of x is not known") || !d.shows("did you mean timeline") {
		t.Errorf("without its trace, the pane shows\n%s", d.texts())
	}
	d.drop(traceFile(t, "x.whorl", run(t, "nrev", 2, "")))
	if !d.shows("timelin") || !d.shows("did you mean timeline") {
		t.Errorf("the pane shows\n%s", d.texts())
	}
	if back := d.asFile(); !strings.Contains(back, `view = "timelin"`) || !strings.Contains(back, `glow = "3"`) {
		t.Errorf("saved again, the pane is lost:\n%s", back)
	}
}

func TestBadFiles(t *testing.T) {
	for _, c := range []struct {
		f    *documents.File
		want string
	}{
		{file("picture.png", "\x89PNG\r\n\x1a\n"), "not a trace of a known format"},
		{file("empty.fghc", "  \n"), "the file is empty"},
		{file("bad.toml", "versio = 1"), "not a workspace"},
		{&documents.File{Name: "nothing"}, "there is no file to open"},
		{nil, "there is no file to open"},
		{&documents.File{Name: "gone.whorl", Path: "/gone/gone.whorl"}, "no such file"},
	} {
		d := drive(t, Options{}, 900, 600, 1)
		d.drop(c.f)
		if !d.shows(c.want) {
			t.Errorf("%+v: the message %q is not shown:\n%s", c.f, c.want, d.texts())
		}
		if len(d.app.model.IDs) > 0 {
			t.Errorf("%+v has opened a trace", c.f)
		}
	}
}

// TestAnySize shows the window at all kinds of sizes and scales, with everything open.
func TestAnySize(t *testing.T) {
	src := run(t, "qsort", 4, "")
	rapid.Check(t, func(rt *rapid.T) {
		d := drive(t, Options{Runner: native{}, Dark: rapid.Bool().Draw(rt, "dark")}, 800, 600, 1)
		d.app.Open("qsort", src)
		side := rapid.OneOf(rapid.Float64Range(0, 60), rapid.Float64Range(60, 1200), rapid.SampledFrom([]float64{0, 1, 0.3, math.NaN(), math.Inf(1), -5, 1e9}))
		scale := rapid.OneOf(rapid.Float64Range(0.5, 4), rapid.SampledFrom([]float64{1, 1.25, 1.5, 2, 0, math.NaN()}))
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			d.in.W, d.in.H, d.in.Scale = side.Draw(rt, "w"), side.Draw(rt, "h"), scale.Draw(rt, "scale")
			for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"|", "_", "X", "R", "Q", "C", "Escape", "h", "S", "L", "D", "]", "+", "f", " ", "E", "G", "A", "Tab"}), 0, 3).Draw(rt, "keys") {
				d.step(Event{Kind: ui.Key, Key: key})
			}
			x, y := rapid.Float64Range(-20, 1300).Draw(rt, "x"), rapid.Float64Range(-20, 1300).Draw(rt, "y")
			d.move(x, y)
			d.press(x, y, ui.Main, 0)
			d.step(Event{Kind: ui.Wheel, X: x, Y: y, DY: rapid.Float64Range(-3, 3).Draw(rt, "turn")})
			for _, l := range d.out.Layers {
				if l.List.Open() != 0 || !(l.Rect.W() >= 0 && l.Rect.H() >= 0) {
					rt.Fatalf("the layer at %+v has %d open groups", l.Rect, l.List.Open())
				}
			}
		}
	})
}

// TestNoFont: characters without a font are reported; those of the fonts for other scripts are not.
func TestNoFont(t *testing.T) {
	src := run(t, "nrev", 2, "")
	for _, c := range []struct {
		name   string
		warned bool
	}{{"三角形.whorl", false}, {"😀.whorl", true}} {
		d := drive(t, Options{}, 1000, 700, 1)
		d.drop(traceFile(t, c.name, src))
		d.until("it is open", func() bool { return len(d.app.model.Docs.All()) == 1 })
		if d.step(); d.shows("no font here has U+1F600") != c.warned {
			t.Errorf("%s: a missing font is reported: %v, want %v:\n%s", c.name, !c.warned, c.warned, d.texts())
		}
	}
}

// TestRunsOfTwoSizes: runs of one program with different sizes, started from the panel, are saved each with its own and run again with these.
func TestRunsOfTwoSizes(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1400, 900, 1)
	d.key("R", 0)
	d.app.runs.Choose("fghc/qsort")
	d.settle()
	for i, n := range []string{"40", "30"} {
		d.click(iconAt(d, "run panel/size n"))
		d.key("a", ui.Control)
		d.typed(n)
		d.click(iconAt(d, "run panel/start"))
		d.until("the end", func() bool { // the message of the end moves the panel
			all := d.app.model.Docs.All()
			return len(all) == i+1 && !slices.ContainsFunc(all, func(o *documents.Document) bool { return !o.Live.Over })
		})
		d.settle()
	}
	text := d.asFile()
	e := drive(t, Options{Runner: native{}}, 1400, 900, 1)
	e.drop(file("mine.toml", text))
	e.until("the runs", func() bool { return len(e.app.model.Docs.All()) == 2 })
	e.settle()
	for i, doc := range d.app.model.Docs.All() {
		again := e.app.model.Docs.All()[i]
		if again.Name != doc.Name || !strings.HasPrefix(doc.Name, "qsort "+doc.Run.Args[0]) || fmt.Sprint(*again.Run) != fmt.Sprint(*doc.Run) {
			t.Errorf("the run %s of %+v is opened as %s of %+v", doc.Name, doc.Run, again.Name, again.Run)
		}
	}
	if got := e.asFile(); got != text {
		t.Errorf("the workspace is saved again as\n%s\nwant\n%s", got, text)
	}
}
