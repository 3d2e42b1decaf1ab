package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/cli"
	"whorl/testdata/must"
)

// TestMain makes the test program run as whorl in the scripts.
func TestMain(m *testing.M) {
	if built, _ := build.Own(); built != nil { // a copy with a program in HPF, which a script has built
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"whorl":      func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"whorl-view": fakeViewerMain,
	})
}

// TestScripts runs the scripts of testdata/script. With UPDATE set it rewrites the files that they compare with.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0")                                  // else each command of a race build sleeps for a second at its end
			env.Setenv("GOFLAGS", os.Getenv("GOFLAGS"))                                // else packages are compiled once more for the scripts
			if out, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil { // for the scripts that run the go command
				env.Setenv("WHORL_GOCACHE", strings.TrimSpace(string(out)))
			}
			env.Setenv("WHORL_PATH", filepath.SplitList(os.Getenv("PATH"))[0]) // only the folder with the test's commands
			if out, err := exec.Command("go", "env", "GOMODCACHE").Output(); err == nil {
				env.Setenv("WHORL_GOMODCACHE", strings.TrimSpace(string(out)))
			}
			env.Setenv("WHORL_CLONE", moduleRoot(t))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "intime": intime},
	})
}

// whorlPath returns the path of the command whorl, which is the test program.
func whorlPath(t *testing.T) string {
	t.Helper()
	return must.Get(exec.LookPath("whorl"))(t)
}

// moduleRoot returns the absolute path of Whorl's source.
func moduleRoot(t *testing.T) string {
	t.Helper()
	return must.Get(filepath.Abs("../.."))(t)
}

// status runs a command and checks its exit status: status 2 whorl run nonsense.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args]")
	}
	want := args[0]
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = exitStatus(err)
	}
	if got != want {
		ts.Fatalf("exit status %s, want %s\n%s%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// intime runs a command with longer and longer limits of time, in place of LIMIT, until one suffices: the exit status is not 3, and a line of the output
// matches. A busy host takes longer for the same work.
func intime(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: intime pattern command [args]")
	}
	line := regexp.MustCompile("(?m)" + args[0])
	for _, limit := range []string{"3s", "30s", "5m"} {
		args := slices.Clone(args[1:])
		for i, a := range args {
			args[i] = strings.ReplaceAll(a, "LIMIT", limit)
		}
		switch err := ts.Exec(args[0], args[1:]...); {
		case err == nil && line.MatchString(ts.ReadFile("stdout")):
			return
		case err != nil && exitStatus(err) != "3":
			ts.Fatalf("%v\n%s", err, ts.ReadFile("stderr"))
		}
	}
	ts.Fatalf("no limit suffices\n%s", ts.ReadFile("stderr"))
}

func exitStatus(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return strconv.Itoa(exit.ExitCode())
	}
	return err.Error()
}
