package formats

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestCut cuts real files of each format at ten places. The events before the cut are read, and the metadata name the loss.
func TestCut(t *testing.T) {
	const shared = "../../testdata/"
	const traces, profiles = shared + "traces/", shared + "profiles/"
	for _, c := range []struct {
		format, file string
		main         string // the file that stands for the trace, "" for the file that is cut
		nothing      int    // cuts before the first event, or of a part that all events need, which are errors
		silent       int    // cuts that cannot be noticed: at the end of a line or of a batch, or in a comment
		says         string // a part of the text about missing data
	}{
		{"actiongraph", traces + "build.actiongraph.json", "", 2, 0, "on: the file is cut"},
		{"caliper", profiles + "lulesh.cali", "", 0, 0, "the end of lulesh.cali"},
		{"callgrind", "callgrind/testdata/calls.callgrind", "", 2, 0, "the file is cut, since it"},
		{"chrome", traces + "node.trace.json", "", 0, 0, "the rest from byte"},
		{"chrome", "chrome/testdata/bazel.json", "", 0, 0, "the rest from byte"},
		{"chrome", "chrome/testdata/go-build.json.gz", "", 0, 0, "the rest from byte"},
		{"collapsed", profiles + "vertx.collapsed", "", 0, 0, "has no count and no end"},
		{"cpuprofile", profiles + "hello.cpuprofile", "", 0, 0, "the file is cut"},
		{"dtslog", traces + "two-nodes.dtslog", "", 2, 1, "the line is cut"},
		{"firefox", "firefox/testdata/samply.json", "", 3, 0, "the file is cut"},
		{"gotrace", traces + "network.trace", "", 0, 0, "the trace is cut"},
		{"gotrace", "gotrace/testdata/memory-1.24.trace", "", 0, 0, "the trace is cut"},
		{"gotrace", "gotrace/testdata/small-1.26.trace", "", 0, 0, "the trace is cut"},
		{"hatchet", profiles + "graph.hatchet.json", "", 10, 0, ""},
		{"hpctoolkit", profiles + "heat-experiment.xml", "", 7, 0, "experiment"},
		{"hpctoolkit", profiles + "foo.d/profile.db", profiles + "foo.d/meta.db", 10, 0, ""},
		{"hpctoolkit", profiles + "foo.d/meta.db", profiles + "foo.d/meta.db", 10, 0, ""},
		{"hpctoolkit", profiles + "foo.d/trace.db", profiles + "foo.d/meta.db", 0, 0, "trace.db: truncated at offset "},
		{"instruments", profiles + "small.xctrace.xml", "", 5, 0, "the rest of small.xctrace.xml"},
		{"jaeger", traces + "shop.jaeger.json", "", 0, 0, "the rest: after byte"},
		{"jfr", profiles + "kafka.jfr", "", 10, 0, ""},
		{"ninja", shared + "ninja/.ninja_log", "", 1, 1, "has no end"},
		{"ninja", shared + "ninja/.ninja_deps", shared + "ninja/.ninja_log", 0, 0, "cut at byte"},
		{"ninja", shared + "ninja/build.ninja", shared + "ninja/.ninja_log", 0, 0, "has no end"},
		{"ninja", shared + "ninja/rules.ninja", shared + "ninja/.ninja_log", 0, 1, "has no end"},
		{"otf2", shared + "mpi/workers.otf2", "", 7, 2, "the end of the anchor file"},
		{"otf2", shared + "mpi/workers.def", shared + "mpi/workers.otf2", 0, 0, "definitions"},
		{"otf2", shared + "mpi/workers/0.evt", shared + "mpi/workers.otf2", 0, 0, "1 file of events without an end"},
		{"otf2", shared + "mpi/workers/0.def", shared + "mpi/workers.otf2", 0, 0, "local definitions"},
		{"otlp", traces + "shop.otlp.json", "", 0, 0, "the rest: after byte"},
		{"paje", shared + "simgrid/stencil.paje", "", 2, 0, "the file is cut"},
		{"paje", shared + "starpu/cholesky.paje", "", 3, 1, "the file is cut"},
		{"paje", shared + "starpu/tasks.rec", shared + "starpu/cholesky.paje", 0, 0, "the end of tasks.rec"},
		{"perf", profiles + "heat.perf", "", 0, 0, "the file is cut"},
		{"perf", profiles + "numa.perf", "", 0, 0, "the file is cut"},
		{"perf", "perf/testdata/duo.calls", "", 0, 0, "the file is cut"},
		{"perf", "perf/testdata/duo.ftrace", "", 0, 0, "the file is cut"},
		{"perf", "perf/testdata/duo-6.1.perf.gz", "", 0, 0, "the rest after"},
		{"perfetto", traces + "chromium.pftrace", "", 0, 0, "the file ends within a packet"},
		{"pprof", profiles + "go.pb.gz", "", 10, 0, ""},
		{"pprof", profiles + "gobench.cpu", "", 0, 0, "is truncated or damaged"},
		{"projections", shared + "projections/pingpong.prj.sts", "", 0, 0, "it has no line END"},
		{"projections", shared + "projections/pingpong.prj.0.log.gz", shared + "projections/pingpong.prj.sts", 0, 0, "1 log without an end"},
		{"projections", "projections/testdata/small.0.log", "projections/testdata/small.sts", 0, 0, "1 log without an end"},
		{"pstats", profiles + "calls.pstats", "", 0, 0, "the file is cut"},
		{"speedscope", profiles + "simple.speedscope.json", "", 2, 0, "the file is cut"},
		{"speedscope", profiles + "two-sampled.speedscope.json", "", 2, 0, "the file is cut"},
		{"stackprof", "stackprof/testdata/raw.json", "", 1, 0, "the file is cut"},
		{"table", traces + "sweep.csv", "", 0, 0, "a row: line"},
		{"tau", shared + "tau/profile.0.0.0", "", 0, 0, "which is cut"},
		{"vista", traces + "quicksort.vista", "", 0, 5, "the line is cut"},
		{"zipkin", traces + "shop.zipkin.json", "", 0, 0, "the rest: after byte"},
	} {
		f := All[slices.IndexFunc(All, func(f Format) bool { return f.Name == c.format })]
		whole := must.Get(os.ReadFile(c.file))(t)
		_, complete, err := readCut(f, c.main, c.file, whole)
		must.Do(t, err)
		nothing, silent := 0, 0
		for k := range 10 {
			n := len(whole) * (k + 1) / 11
			events, missing, err := readCut(f, c.main, c.file, whole[:n])
			switch {
			case err != nil && events > 0:
				t.Errorf("%s cut at byte %d of %d: %d events, then %v", c.file, n, len(whole), events, err)
			case err != nil:
				nothing++
			case missing == complete:
				silent++
			case !strings.Contains(missing, c.says) && whole[n-1] != '\n': // at the end of a line others tell it
				t.Errorf("%s cut at byte %d of %d: missing %q; expected %q", c.file, n, len(whole), missing, c.says)
			}
		}
		if nothing != c.nothing || silent != c.silent {
			t.Errorf("%s: of 10 cuts %d are errors and %d are not noticed; expected %d and %d", c.file, nothing, silent, c.nothing, c.silent)
		}
	}
}

// readCut reads a trace whose file has the given content. main stands for it, with the files beside it; "" for the file itself.
func readCut(f Format, main, file string, content []byte) (events int64, missing string, err error) {
	m := tracer.NewMemory()
	alone := main == ""
	if alone {
		main = file
	}
	switch {
	case f.ReadIn != nil:
		folder := fstest.MapFS{}
		beside := os.DirFS(filepath.Dir(main))
		err = fs.WalkDir(beside, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b := content
			if filepath.Join(filepath.Dir(main), name) != filepath.Clean(file) {
				b, err = fs.ReadFile(beside, name)
			}
			folder[name] = &fstest.MapFile{Data: b}
			return err
		})
		if err == nil {
			err = f.ReadIn(folder, filepath.Base(main), m, Options{})
		}
	case !alone:
		var files []File
		names, _ := filepath.Glob(filepath.Dir(main) + "/*")
		for _, name := range names {
			b := content
			if name != file && err == nil {
				b, err = os.ReadFile(name)
			}
			files = append(files, File{Name: name, R: bytes.NewReader(b)})
		}
		if err == nil {
			err = f.ReadAll(files, m, Options{})
		}
	default:
		err = f.Read(bytes.NewReader(content), m, Options{File: filepath.Base(file)})
	}
	_ = m.Close()
	for _, n := range m.Counts() {
		events += n
	}
	meta := m.Meta()
	return events, meta.Missing(), err
}
