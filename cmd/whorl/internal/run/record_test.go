package run

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/cmd/whorl/internal/command"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
)

// record executes whorl record with some arguments.
func record(t *testing.T, args ...string) error {
	cmd := newRecord()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	cmd.SetOut(io.Discard)
	cmd.SetErr(io.Discard)
	return cmd.ExecuteContext(t.Context())
}

// TestRecordNowhere checks that a program does not run if its trace cannot be written.
func TestRecordNowhere(t *testing.T) {
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	err := record(t, "-o", filepath.Join(dir, "none", "x.whorl"), "--trace-flag", "-trace", "--", "sh", "-c", "touch "+ran)
	if _, missing := os.Stat(ran); err == nil || !strings.HasPrefix(err.Error(), "cannot write ") || missing == nil {
		t.Errorf("%v, %v", err, missing)
	}
}

func TestRecordServer(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/words", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "no trace") })
	server := httptest.NewServer(mux)
	defer server.Close()
	dir := t.TempDir()
	out := filepath.Join(dir, "server.whorl")
	wakes, stop := make(chan bool), make(chan bool)
	go func() {
		for range wakes {
		}
	}()
	go func() {
		defer close(wakes)
		for {
			select {
			case wakes <- true:
				time.Sleep(time.Millisecond)
			case <-stop:
				return
			}
		}
	}()
	err := record(t, server.URL, "--for", "300ms", "-o", out)
	close(stop)
	must.Do(t, err)
	trace := must.Get(open.File(out))(t)
	defer trace.Close()
	if counts, meta := trace.Counts(), trace.Meta(); counts[tracer.Wake] == 0 || counts[tracer.Start] == 0 || meta.Program != server.URL+"/debug/pprof/trace?seconds=0.3" {
		t.Errorf("%d wake-ups, %d starts of %s", counts[tracer.Wake], counts[tracer.Start], meta.Program)
	}
	for _, c := range []struct{ kind, metric string }{
		{"profile", "cpu"}, {"heap", "inuse_space"}, {"allocs", "alloc_space"}, {"mutex", "contentions"}, {"block", "contentions"}, {"goroutine", "goroutine"},
	} {
		kind, metric := c.kind, c.metric
		file := filepath.Join(dir, kind+".whorl")
		args := []string{server.URL, "--kind", kind, "-o", file}
		seconds := ""
		if kind == "profile" || kind == "allocs" {
			args, seconds = append(args, "--for", "1s"), "?seconds=1"
		}
		must.Do(t, record(t, args...))
		profile := must.Get(open.File(file))(t)
		has := slices.ContainsFunc(profile.Dict().Codes(), func(c tracer.Code) bool { return c.Type == tracer.Metric && c.Name == metric })
		if meta := profile.Meta(); !has || meta.Program != server.URL+"/debug/pprof/"+kind+seconds {
			t.Errorf("%s of %s: it has the metric %s: %v", kind, meta.Program, metric, has)
		}
		must.Do(t, profile.Close())
	}
	for _, c := range []struct {
		want, file string
		args       []string
	}{
		{"leave out --kind", "none.whorl", []string{server.URL + "/words", "--kind", "heap"}},
		{"--kind is for the URL of a server", "none.whorl", []string{"--kind", "heap", "--", "sh"}},
		{"unknown kind", "none.whorl", []string{server.URL, "--kind", "heat"}},
		{"not a trace of a known format", "none.whorl", []string{server.URL + "/words"}},
		{"404 Not Found", "none.whorl", []string{server.URL + "/else"}},
		{"expected one URL", "none.whorl", []string{server.URL, "another"}},
		{"--frequency is for programs of which samples are taken", "none.whorl", []string{server.URL, "--frequency", "9"}},
		{"FILE.whorl", "none.txt", []string{server.URL}},
	} {
		file := filepath.Join(dir, c.file)
		if err := record(t, append(c.args, "-o", file)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.args, err, c.want)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%v: a file is left", c.args)
		}
	}
}

// TestRecordProgram records a shell script that copies a trace to the file that its flag or its environment names.
func TestRecordProgram(t *testing.T) {
	dir := t.TempDir()
	text := "whorl 1\npe 0\nstream 0\n0 Start task=1 stream=0\n5 End task=1 stream=0\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "text"), []byte(text), 0o600))
	script := filepath.Join(dir, "program")
	must.Do(t, os.WriteFile(script, []byte("#!/bin/sh\nfor a; do case $a in --trace=*) TO=${a#--trace=};; esac; done\ncp "+dir+"/text $TO\n[ \"$1$2\" != ${1}fail ]\n"), 0o700))
	for i, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--trace-flag", "--trace", "--", script}, ""},
		{[]string{"--trace-env", "TO", "--", script}, ""},
		{[]string{"--trace-env", "TO", "--", script, "", "fail"}, "has failed (exit status 1); the trace until then is in "},
		{[]string{"--trace-env", "ELSE", "--", script}, " has written no trace"},
		{[]string{"--trace-flag", "--trace", "--samples", "--", script}, "--trace-flag is for a program that writes a trace"},
		{[]string{"--trace-flag", "--trace", "--", dir + "/nothing"}, "no such command"},
		{[]string{"--", "go", "test", "-trace", "own", "./pkg"}, "go -trace: whorl record adds this flag"},
		{[]string{"--", "go", "build", "--debug-actiongraph=own", "./pkg"}, "go -debug-actiongraph: whorl record adds this flag"},
	} {
		out := filepath.Join(dir, string(rune('a'+i))+".whorl")
		err := record(t, append([]string{"-o", out}, c.args...)...)
		if c.want == "" {
			must.Do(t, err)
		} else if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.args, err, c.want)
		}
		if i < 3 {
			trace := must.Get(open.File(out))(t)
			if n := trace.Counts()[tracer.End]; n != 1 {
				t.Errorf("%v: %d ends", c.args, n)
			}
			trace.Close()
		}
	}
	for _, args := range [][]string{{"go", "test", "-run", "trace", ".", "-args", "-trace=x"}, {"go", "build", "-trace"}, {"./prog", "-trace=x"}} {
		if flag := ownFile(args); flag != "" {
			t.Errorf("%q names a file of its own by %s", args, flag)
		}
	}
	got := traced("", []string{"go", "test", "-run", "X", "./pkg"}, "/d", "/d/trace")
	if want := []string{"test", "-trace=/d/trace", "-o=/d/tests", "-count=1", "-run", "X", "./pkg"}; !slices.Equal(got, want) {
		t.Errorf("go test has the arguments %q", got)
	}
	got = traced("", []string{"/usr/bin/go", "build", "-a", "./pkg"}, "/d", "/d/trace")
	if want := []string{"build", "-debug-actiongraph=/d/trace", "-a", "./pkg"}; !slices.Equal(got, want) {
		t.Errorf("go build has the arguments %q", got)
	}
	got = traced("", []string{"bazel", "--bazelrc=x", "build", "//..."}, "/d", "/d/trace")
	if want := []string{"--bazelrc=x", "build", "--profile=/d/trace", "//..."}; !slices.Equal(got, want) {
		t.Errorf("bazel has the arguments %q", got)
	}
}

// TestRecordBuild records builds by make, and one by a script named ninja that writes a log. The exit status is that of the program.
func TestRecordBuild(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil || runtime.GOOS != "linux" {
		t.Skip("no make")
	}
	dir := t.TempDir()
	file := func(name, text string) { must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700)) }
	file("Makefile", "good:\n\t@true\nbad:\n\t@exit 5\n")
	file("build.ninja", "build a: x\nbuild b: x a\n")
	file("ninja", "#!/bin/sh\n[ -f $2/.ninja_log ] || echo '# ninja log v5' > $2/.ninja_log\nprintf '%b' \"$3\" >> $2/.ninja_log\n")
	for i, c := range []struct {
		args   []string
		want   string
		status int
		tasks  int64
	}{
		{[]string{"make", "-C", dir, "good"}, "", 0, 2},
		{[]string{"make", "-C", dir, "bad"}, "make has failed (exit status 2); the trace until then is in ", 2, 2},
		{[]string{"make", "-C", dir, "none"}, "make has failed (exit status 2); no recipe has run", 2, 0},
		{[]string{dir + "/ninja", "-C", dir, `0\t9\t1\ta\t1\n9\t20\t1\tb\t2\n`}, "", 0, 2},
		{[]string{dir + "/ninja", "-C", dir, `30\t40\t1\tb\t2\n`}, "", 0, 1},
		{[]string{dir + "/ninja", "-C", dir, ""}, "the build had nothing to do", 2, 0},
	} {
		out := filepath.Join(dir, string(rune('a'+i))+".whorl")
		err := record(t, append([]string{"-o", out, "--"}, c.args...)...)
		if own := (*command.StatusError)(nil); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || errors.As(err, &own) && own.Status != c.status {
			t.Errorf("%v: %v, want %s and the status %d", c.args, err, c.want, c.status)
		}
		if c.tasks == 0 {
			continue
		}
		trace := must.Get(open.File(out))(t)
		if n := trace.Counts()[tracer.End]; n != c.tasks {
			t.Errorf("%v: %d tasks", c.args, n)
		}
		trace.Close()
	}
	if got := option([]string{"ninja", "-Cout"}, "-C", "."); got != "out" {
		t.Errorf("the folder is %s", got)
	}
}

// TestRecordSamples samples a program that fails. The trace has its processor time, and the error says how it ended.
func TestRecordSamples(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a.whorl")
	err := record(t, "-o", out, "-F", "2000", "--processor", "process", "--", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; exit 3")
	status := (*command.StatusError)(nil)
	if !errors.As(err, &status) {
		t.Skip(err) // the system allows no samples
	}
	if want := "sh has failed (exit status 3); the samples until then are in " + out; status.Status != 3 || err.Error() != want {
		t.Errorf("status %d, %v; want 3, %s", status.Status, err, want)
	}
	trace := must.Get(open.File(out))(t)
	defer trace.Close()
	if meta, counts := trace.Meta(), trace.Counts(); meta.Program != "sh" || meta.PEs != 1 || counts[tracer.Sample] == 0 {
		t.Errorf("%d samples of %s on %d processors", counts[tracer.Sample], meta.Program, meta.PEs)
	}
}
