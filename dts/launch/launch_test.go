package launch

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/tracer"
)

// in returns a lookup in variables of the form KEY=VALUE.
func in(env []string) func(string) (string, bool) {
	return func(key string) (string, bool) {
		for _, e := range env {
			if k, v, _ := strings.Cut(e, "="); k == key {
				return v, true
			}
		}
		return "", false
	}
}

var all = Settings{
	PEs: 3, Policy: "random", Mode: "live", Machine: "m.toml", Network: "ring", Seed: 1<<64 - 1, Watched: true,
	MaxTime: 90 * time.Second, MaxThreads: 5, MaxMemory: 1 << 40,
}

// Settings arrive as they were sent, and do not replace those of the program.
func TestSettings(t *testing.T) {
	for _, sent := range []Settings{{}, all} {
		var got Settings
		if err := got.Fill(in(sent.Environ())); err != nil || got != sent {
			t.Errorf("%+v arrives as %+v, %v", sent, got, err)
		}
	}
	own := Settings{PEs: 4, Policy: "steal", Mode: "sim", Machine: "modern", Network: "mesh", Seed: 2, Watched: true, MaxTime: 1, MaxThreads: 2, MaxMemory: 3}
	got := own
	if err := got.Fill(in(all.Environ())); err != nil || got != own {
		t.Errorf("%+v became %+v, %v", own, got, err)
	}
}

func TestWrongSettings(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{EnvPEs + "=many", `WHORL_PES="many": expected a number of PEs`},
		{EnvSeed + "=-1", `WHORL_SEED="-1": expected a whole number of at least 0`},
		{EnvMaxTime + "=10", `WHORL_MAX_TIME="10": expected a duration such as 10s`},
		{EnvMaxThreads + "=1e3", `WHORL_MAX_THREADS="1e3": expected a whole number`},
		{EnvMaxMemory + "=1 GiB", `WHORL_MAX_MEMORY="1 GiB": expected a number of bytes`},
		{EnvWatched + "=perhaps", `WHORL_WATCHED="perhaps": expected true or false`},
		{EnvPEs + "=-2", "dts: a number of PEs or a limit is negative"},
		{EnvMaxTime + "=-2s", "dts: a number of PEs or a limit is negative"},
	} {
		var s Settings
		if err := s.Fill(in([]string{c.env})); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.env, err, c.want)
		}
	}
	ignored := Settings{PEs: 1}
	if err := ignored.Fill(in([]string{EnvPEs + "=many"})); err != nil {
		t.Errorf("a variable that is not needed: %v", err)
	}
}

func TestReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	if _, err := ReadReport(path); err == nil {
		t.Error("read a missing report")
	}
	sent := Report{tracer.Limited, "stopped"}
	sent.Write(path)
	if got, err := ReadReport(path); got != sent || err != nil {
		t.Errorf("%+v arrives as %+v, %v", sent, got, err)
	}
	must.Do(t, os.WriteFile(path, []byte(`{"outcome": -1`), 0o600))
	if _, err := ReadReport(path); err == nil {
		t.Error("read a damaged report")
	}
}

// Claim returns a variable once.
func TestClaim(t *testing.T) {
	t.Setenv(EnvTrace, "x.whorl")
	if v, again := Claim(EnvTrace), Claim(EnvTrace); v != "x.whorl" || again != "" {
		t.Errorf("%q, then %q", v, again)
	}
}

// A tied process ends when its parent is killed. The test starts the parent, which starts the tied process. Both have the
// write end of a pipe, which the test reads to its end.
func TestLifeline(t *testing.T) {
	const variable = "TEST_LIFELINE"
	start := func(role string) *exec.Cmd {
		c := exec.Command(os.Args[0], "-test.run=^TestLifeline$")
		c.Env = append(os.Environ(), variable+"="+role)
		return c
	}
	switch os.Getenv(variable) {
	case "parent":
		l := must.Get(NewLifeline())(t)
		defer l.Close()
		tied := start("tied")
		tied.Stdout = os.Stdout
		l.Tie(tied)
		must.Do(t, tied.Run())
		return
	case "tied":
		os.Stdout.WriteString("tied\n")
		time.Sleep(time.Hour)
		return
	}
	if runtime.GOOS == "windows" {
		t.Skip("processes inherit no files")
	}
	parent := start("parent")
	out := must.Get(parent.StdoutPipe())(t)
	must.Do(t, parent.Start())
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "tied\n" {
		t.Fatal(line, err)
	}
	must.Do(t, parent.Process.Kill())
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
	_ = parent.Wait()
}

// An interrupt cancels a run if whorl waits for its report.
func TestInterruptible(t *testing.T) {
	t.Setenv(EnvReport, "")
	own, release := Interruptible(t.Context())
	release()
	if own != t.Context() {
		t.Error("without a report it handles signals")
	}
	t.Setenv(EnvReport, "report")
	ctx, release := Interruptible(t.Context())
	defer release()
	p := must.Get(os.FindProcess(os.Getpid()))(t)
	if err := p.Signal(os.Interrupt); err != nil {
		t.Skip(err)
	}
	<-ctx.Done()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) || err.Error() != "interrupted: context canceled" {
		t.Error(err)
	}
}
