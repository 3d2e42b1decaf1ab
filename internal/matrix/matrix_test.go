// Package matrix keeps docs/matrix.md up to date: a picture of every view for every source of traces. Cells without a picture name the events
// that the source lacks.
//
//	go test ./internal/matrix -update
//
// draws the pictures and writes the page. Another test checks that all views and reports of a trace show the same numbers.
package matrix

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/dts"
	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/dtslog"
	"whorl/tracer/formats/vista"
	"whorl/tracer/open"
	"whorl/visual/backend/raster"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/views"
)

var update = flag.Bool("update", false, "draw the pictures and write docs/matrix.md")

const (
	page     = "../../docs/matrix.md"
	folder   = "../../docs/pictures/matrix"
	width    = 480
	height   = 360
	mostSize = 2_950_000 // bytes of all pictures
)

// A source is a source of traces.
type source struct {
	name, doc string
	open      func(t *testing.T) tracer.Source
}

var sources = []source{
	{"fghc-bus", "FGHC on a machine with shared memory (`whorl run pascal 20`)", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) {})
	}},
	{"fghc-net", "FGHC on a machine that sends messages (`whorl run pascal 20 --pes 16 --net mesh2d --policy steal-near`)", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) { r.PEs, r.Network, r.Policy = 16, "mesh2d", "steal-near" })
	}},
	{"hpf", "HPF on four processors, sampled (`whorl run heat.hpf --pes 4 --sample 20us`)", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) {
			r.Program, r.Text, r.Args, r.PEs, r.Sample = "heat.hpf", heat, nil, 4, 20*time.Microsecond
		})
	}},
	{"dts", "threads that fork and join (package `dts`), simulated on 8 PEs", threads},
	{"dtslog", "logs of such threads as text, which know seven events alone", func(t *testing.T) tracer.Source {
		var file bytes.Buffer
		must.Do(t, dtslog.Write(&file, threads(t)))
		m := tracer.NewMemory()
		must.Do(t, dtslog.Read([]dtslog.File{{R: &file}}, m))
		must.Do(t, m.Close())
		return m
	}},
	{"pprof", "profiles of two processes of a Go program, as `runtime/pprof` writes them", func(t *testing.T) tracer.Source {
		const one = "../../testdata/profiles/go.pb.gz"
		return profiles(t, "", one, one)
	}},
	{"perf", "threads of a C program in two recordings of perf of Linux", func(t *testing.T) tracer.Source {
		const one = "../../testdata/profiles/heat.perf"
		return profiles(t, filepath.Dir(one), one, one)
	}},
	{"go", "the execution trace of a Go program (`go test -trace`, `/debug/pprof/trace`)", real("../../testdata/traces/lock.trace")},
	{"otf2", "an archive of OTF2: an MPI program of four ranks", real("../../testdata/mpi/stencil.otf2")},
	{"perfetto", "a trace of Perfetto: the threads of a browser", real("../../testdata/traces/chromium.pftrace")},
	{"spans", "spans of requests to several services (OpenTelemetry, Jaeger, Zipkin)", real("../../testdata/traces/shop.otlp.json")},
	{"vista", "a trace file of VISTA, which knows reductions alone", func(t *testing.T) tracer.Source {
		src := run(t, func(r *experiment.Run) {})
		var file bytes.Buffer
		must.Do(t, vista.Write(&file, src))
		m := tracer.NewMemory()
		must.Do(t, vista.Read(&file, m, nil))
		must.Do(t, m.Close())
		return m
	}},
	{"table", "the table of a sweep (`whorl sweep`), whose rows are runs", kept("sweep.csv")},
}

// real opens the trace of a real program.
func real(path string) func(t *testing.T) tracer.Source {
	return func(t *testing.T) tracer.Source {
		trace := must.Get(open.Files([]string{path}, "", open.Options{Sealed: true}))(t)
		t.Cleanup(func() { trace.Close() })
		return trace
	}
}

// profiles opens profiles of real programs.
func profiles(t *testing.T, sources string, paths ...string) tracer.Source {
	trace := must.Get(open.Files(paths, "", open.Options{Sources: []string{sources}}))(t)
	t.Cleanup(func() { trace.Close() })
	return trace
}

// heat is a program that spreads heat through a plate with a hot upper side.
const heat = `program heat
  integer, parameter :: n = 40
  real :: a(n,n), b(n,n)
  integer :: k
!hpf$ processors p(4)
!hpf$ distribute a(block,*) onto p
!hpf$ align b(i,j) with a(i,j)
  a = 0.0
  a(1,:) = 1.0
  b = a
  do k = 1, 10
    call step(a, b, n)
    call step(b, a, n)
  end do
  print *, sum(a)
end program

subroutine step(x, y, n)
  integer :: n, i, j
  real :: x(n,n), y(n,n)
!hpf$ distribute x(block,*)
!hpf$ distribute y(block,*)
!hpf$ independent
  do j = 2, n-1
!hpf$ independent
    do i = 2, n-1
      y(i,j) = 0.25*(x(i-1,j)+x(i+1,j)+x(i,j-1)+x(i,j+1))
    end do
  end do
end subroutine
`

// threads returns the trace of a run of threads.
func threads(t *testing.T) tracer.Source {
	m := tracer.NewMemory()
	text, err := os.ReadFile("matrix_test.go") // in tests built with -trimpath the path in the program does not lead there
	if err != nil {
		t.Fatal(err)
	}
	opts := dts.Options{Sources: []tracer.SourceFile{{Name: "matrix_test.go", Text: string(text)}}, Mode: dts.Sim, PEs: 8, Machine: "modern", Policy: "steal", Recorder: m, Program: "fib 9", Seed: 1}
	must.Get(dts.Run(t.Context(), opts, func(w *dts.Worker) int { return fib(w, 9) }))(t)
	must.Do(t, m.Close())
	return m
}

func run(t *testing.T, change func(*experiment.Run)) tracer.Source {
	t.Helper()
	r := experiment.Defaults("fghc/pascal")
	r.Args = []string{"20"}
	change(&r)
	p := must.Get(r.Resolve())(t)
	m := tracer.NewMemory()
	result, err := p.Run(context.Background(), m, nil)
	if err == nil {
		err = result.Err
	}
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, m.Close())
	return m
}

// missing returns an event that a source lacks for a view.
func missing(view, source string) (event string, ok bool) {
	switch {
	case view == "sweep" && !slices.Contains([]string{"table", "go", "perfetto"}, source): // these count something
		return "Counter", true
	case source == "table" && !slices.Contains([]string{"sweep", "efficiency", "comparison", "modules"}, view):
		return "has only Counter", true
	}
	event, ok = without[view+"-"+source]
	return event, ok
}

// without lists the cells without a picture, with a missing event, and bare lists the cells that show only a sentence.
var (
	without = map[string]string{
		"kaleidoscope-hpf": "Reduce", "threadgraph-hpf": "Reduce", "waits-hpf": "Reduce",
		// Profiles have no messages.
		"bodies-pprof": "Send", "bodies-perf": "Send",
		// Profiles have places of the program, but no waits and no creations of tasks.
		"kaleidoscope-pprof": "Reduce", "threadgraph-pprof": "Reduce",
		"timeline-pprof": "when the samples were taken", "utilisation-pprof": "when the samples were taken", "measures-pprof": "when the samples were taken",
		"waits-pprof":       "Wait",
		"kaleidoscope-perf": "Reduce", "threadgraph-perf": "Reduce", "waits-perf": "Wait",
	}
	bare = map[string]bool{ // the files lack the text of the program, VISTA files lack lines, and files without times of PEs have no efficiency
		"source-vista": true, "source-dtslog": true, "overview-vista": true, "surface-vista": true, "cascade-vista": true, "procedures-vista": true, "detail-vista": true, "minmax-vista": true, "assembler-vista": true,
		"efficiency-pprof": true, "efficiency-perf": true, "efficiency-vista": true, "efficiency-table": true, "comparison-table": true,
		// Their counters are no columns of a table, and ranks have no parents.
		"sweep-go": true, "kaleidoscope-otf2": true,
	}
)

func TestMatrix(t *testing.T) {
	glyphs := glyph.New()
	var b strings.Builder
	b.WriteString("# Views and sources\n\nEvery view opens every trace that has the events it needs, wherever the trace comes from. This page and its pictures are " +
		"made by\n`go test ./internal/matrix -update`; the same test draws each cell and fails when one does not work.\n\n| |")
	for _, k := range views.All {
		b.WriteString(" " + k.Name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(views.All)) + "\n")
	if *update {
		must.Do(t, os.RemoveAll(folder))
		must.Do(t, os.MkdirAll(folder, 0o755))
	}
	var size int64
	for _, s := range sources {
		src := s.open(t)
		b.WriteString("| " + s.doc + " |")
		for _, k := range views.All {
			cell := k.Name + "-" + s.name
			if lacks := k.CanOpen(src); lacks != nil {
				if want, ok := missing(k.Name, s.name); !ok || !strings.Contains(lacks.Error(), want) {
					t.Errorf("%s does not work: %v; if this source cannot have such events, add the cell to the table without", cell, lacks)
				}
				b.WriteString(" " + lacks.Error() + " |")
				continue
			}
			if want, ok := missing(k.Name, s.name); ok {
				t.Errorf("%s works, although it should lack %s", cell, want)
			}
			l, err := drawtest.Render(context.Background(), k, src, nil, width, height, glyphs)
			if err != nil {
				t.Errorf("%s: %v", cell, err)
				continue
			}
			if drawn(l) == bare[cell] {
				t.Errorf("%s is empty: %v; the table bare lists the cells that show only a sentence", cell, !bare[cell])
			}
			file := filepath.Join(folder, cell+".png")
			if *update {
				var picture bytes.Buffer
				err := png.Encode(&picture, few(raster.New(glyphs).Picture(l, 1)))
				if err == nil {
					err = os.WriteFile(file, picture.Bytes(), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			size += check(t, file)
			fmt.Fprintf(&b, " ![%s](pictures/matrix/%s.png) |", k.Name, cell)
		}
		b.WriteByte('\n')
	}
	if size > mostSize {
		t.Errorf("the pictures have %d bytes, more than %d", size, mostSize)
	}
	if *update {
		must.Do(t, os.WriteFile(page, []byte(b.String()), 0o644))
	}
	got := must.Get(os.ReadFile(page))(t)
	if string(got) != b.String() {
		t.Error("docs/matrix.md is not up to date: go test ./internal/matrix -update")
	}
}

// drawn reports whether a list has more than its background, a frame, and texts.
func drawn(l *scene.List) bool {
	inside, shapes, texts := 0, 0, 0
	for i := range l.Len() {
		switch k := l.Op(i).Kind; k {
		case scene.OpClip:
			inside++
		case scene.OpPop:
			inside--
		case scene.OpText:
			if inside > 0 {
				texts++
			}
		default:
			if inside > 0 {
				shapes++
			}
		}
	}
	return shapes > 2 || shapes+texts > 6
}

// few reduces a picture to its 256 most frequent colours, for a small file.
func few(img image.Image) *image.Paletted {
	coarse := func(c color.RGBA) color.RGBA { return color.RGBA{c.R &^ 7, c.G &^ 7, c.B &^ 7, 255} }
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
	count, exact := map[color.RGBA]int{}, map[color.RGBA]color.RGBA{}
	r := img.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := at(x, y)
			k := coarse(c)
			if count[k]++; count[k] == 1 {
				exact[k] = c
			}
		}
	}
	keys := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var colours color.Palette
	for _, k := range keys[:min(len(keys), 256)] {
		colours = append(colours, exact[k])
	}
	out := image.NewPaletted(r, colours)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			out.Set(x, y, img.At(x, y))
		}
	}
	return out
}

// check reads a picture and returns its size in bytes.
func check(t *testing.T, file string) int64 {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v; go test ./internal/matrix -update draws the pictures", err)
		return 0
	}
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || c.Width != width || c.Height != height {
		t.Errorf("%s: %d x %d, %v", file, c.Width, c.Height, err)
	}
	return int64(len(data))
}
