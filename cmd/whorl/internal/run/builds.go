package run

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/makes"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/formats/ninja"
	"whorl/tracer/open"

	"github.com/spf13/cobra"
)

// builds reports whether a command builds with make or Ninja, as cmake --build does with either.
func builds(args []string) bool {
	switch tool(args) {
	case "make", "gmake", "ninja":
		return true
	case "cmake":
		return len(args) > 1 && args[1] == "--build"
	}
	return false
}

// tool returns the name of a program without its folder.
func tool(args []string) string { return strings.TrimSuffix(filepath.Base(args[0]), ".exe") }

// bazelCommand returns the place of the command of Bazel that builds among its arguments, -1 if there is none.
func bazelCommand(args []string) int {
	if t := tool(args); t != "bazel" && t != "bazelisk" {
		return -1
	}
	return slices.IndexFunc(args, func(a string) bool { return a == "build" || a == "test" || a == "run" || a == "coverage" })
}

// build records a build by make or Ninja.
func (r *recorder) build(cmd *cobra.Command, dir string, args []string) error {
	run := exec.Command(args[0], args[1:]...)
	var log *ninjaLog
	if tool(args) == "ninja" {
		log = logOf(option(args, "-C", "."), option(args, "-f", ""))
	} else if tool(args) == "cmake" && len(args) > 2 {
		log = logOf(args[2], "")
	}
	var watched *makes.Recording
	if tool(args) != "ninja" {
		var err error
		if watched, err = makes.Start(dir); err != nil {
			return err
		}
		run.Env = watched.Environment()
	}
	ended, err := execute(cmd, run, args[0])
	if watched != nil {
		watched.Stop()
	}
	if err != nil {
		return err
	}
	var w files.Writer
	err = open.Write(&w, r.out, func(rec tracer.Recorder) error {
		t := &titled{Recorder: rec, args: args}
		err := log.read(t)
		if log == nil || watched != nil && err != nil {
			b, failed := watched.Build(tool(args))
			if failed != nil {
				return failed
			}
			b.Record(t)
			err = nil
		}
		if err == nil {
			r.report(cmd, t.missing, t)
		}
		return err
	})
	return afterProgram(ended, err, "the trace until then is in "+r.out)
}

// option returns the value of an option, which may be an argument of its own.
func option(args []string, name, none string) string {
	for i, a := range args[1:] {
		if rest, ok := strings.CutPrefix(a, name); ok {
			if rest == "" && i+2 < len(args) {
				rest = args[i+2]
			}
			return rest
		}
	}
	return none
}

// A ninjaLog is the log of a folder, as it was before a build.
type ninjaLog struct {
	dir, manifest string
	size          int64
	sum           [sha256.Size]byte
}

const ninjaLogName = ".ninja_log"

func logOf(dir, manifest string) *ninjaLog {
	l := &ninjaLog{dir: dir, manifest: manifest}
	if info, err := os.Stat(l.path()); err == nil {
		l.size = info.Size()
		l.sum, _ = l.beginning()
	}
	return l
}

func (l *ninjaLog) path() string { return filepath.Join(l.dir, ninjaLogName) }

// beginning returns the sum of the part of the log that was there before the build.
func (l *ninjaLog) beginning() (sum [sha256.Size]byte, err error) {
	f, err := os.Open(l.path())
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.CopyN(h, f, l.size)
	return [sha256.Size]byte(h.Sum(nil)), err
}

// read reads what the build has added to the log. Ninja may have written the log anew, and then the last run counts.
func (l *ninjaLog) read(rec tracer.Recorder) error {
	if l == nil {
		return nil
	}
	info, err := os.Stat(l.path())
	if err != nil {
		return fmt.Errorf("there is no log %s", l.path())
	}
	o := ninja.Options{Manifest: l.manifest}
	if sum, err := l.beginning(); err == nil && bytes.Equal(sum[:], l.sum[:]) && l.size > 0 {
		if o.Offset = l.size; info.Size() == l.size {
			return errors.New("no action has run: the build had nothing to do")
		}
	}
	if err := ninja.ReadIn(os.DirFS(l.dir), ninjaLogName, rec, o); err != nil {
		return fmt.Errorf("%s: %w", l.path(), err)
	}
	return nil
}

// statusOf returns the exit status of a program that has failed; ExitFailed for one that a signal has ended.
func statusOf(exit *exec.ExitError) int {
	if code := exit.ExitCode(); code >= 0 {
		return code
	}
	return command.ExitFailed
}
