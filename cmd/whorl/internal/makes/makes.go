// Package makes records builds by GNU make. It has make run each line of each recipe through a script, which tells when the line begins and then becomes
// the shell of the line, so that signals and exit statuses are those of the line itself. The kernel tells when that process ends.
//
// Make reads a makefile before its own, by the variable MAKEFILES of its environment, as do the makes that it runs. So any program that runs make can be
// recorded, cmake --build too. Nothing is left when the recording is closed.
package makes

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

var (
	//go:embed record.mk
	makefile string
	//go:embed sh.sh
	script string
)

// ErrSystem is the error where builds by make cannot be recorded.
var ErrSystem = errors.New("builds by make are recorded on Linux from version 5.3 on: --samples has perf sample them")

// A job is a line of a recipe.
type job struct {
	pid      int
	make     int // process that runs it
	parent   *job
	dir      string
	target   string
	from, to int64 // ns since the beginning of the recording
}

const (
	mostJobs  = 1 << 21
	mostGraph = 1 << 28 // bytes of the files with prerequisites
)

// Environment returns the variables that have make record itself, beside those of the environment. A recording around this one does not see it.
func (r *Recording) Environment() []string {
	mk := filepath.Join(r.dir, "record.mk")
	for _, other := range strings.Fields(os.Getenv("MAKEFILES")) {
		if other != filepath.Join(os.Getenv("WHORL_DIR"), "record.mk") {
			mk += " " + other
		}
	}
	return append(os.Environ(), "WHORL_DIR="+r.dir, fmt.Sprint("WHORL_PID=", os.Getpid()), "WHORL_JOB=", "WHORL_MAKE=", "MAKEFILES="+mk)
}

// prepare writes the files that make reads.
func prepare(dir string) error {
	if strings.ContainsFunc(dir, func(c rune) bool {
		return c != '/' && c != '.' && c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) {
		return fmt.Errorf("%s: make cannot have a folder of this name: set TMPDIR to one with letters and digits alone", dir)
	}
	if err := os.WriteFile(filepath.Join(dir, "record.mk"), []byte(makefile), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "sh"), []byte(script), 0o600)
}
