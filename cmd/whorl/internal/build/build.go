// Package build makes programs of their own of programs in FGHC: their procedures as Go functions (fghc/native) and the part of Whorl that
// they need (fghc/standalone), compiled by the Go toolchain. Whorl carries that part's source within itself and lays it out as a module in a
// folder of the user's cache, where Go's own cache finds it compiled the next time. Nothing is asked of any network.
package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/version"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"whorl"
	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/native"
)

// A Program is what is to be built. Its files and its goal have been found right.
type Program struct {
	Name  string
	Args  []string
	Files []check.Source
	Goal  string
}

// Go is the version of the language that the source needs.
const Go = "1.26"

// A Failure is one of the toolchain, with what it says.
type Failure struct{ Text string }

func (e *Failure) Error() string { return e.Text }

// Write builds a program and writes it to w. It takes a second or two, the first time some more.
func (p *Program) Write(ctx context.Context, w io.Writer) error {
	goCommand, err := toolchain(ctx)
	if err != nil {
		return err
	}
	root, err := module()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(root, "program-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var main bytes.Buffer
	if err := p.source(&main); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), main.Bytes(), 0o600); err != nil {
		return err
	}
	binary := filepath.Join(dir, "binary")
	cmd := exec.CommandContext(ctx, goCommand, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", binary, "./"+filepath.Base(dir))
	cmd.Dir, cmd.Env, cmd.WaitDelay = root, environment(), time.Second
	if said, err := cmd.CombinedOutput(); err != nil {
		return &Failure{fmt.Sprintf("go build: %v\n%s", err, bytes.TrimSpace(said))}
	}
	f, err := os.Open(binary)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// source writes the main package of a program.
func (p *Program) source(w io.Writer) error {
	files, errs := check.Read(p.Files)
	if errs.Failed() {
		return errs
	}
	prog, errs := compile.Compile(files.WithLibrary(p.Goal)...)
	if errs.Failed() {
		return errs
	}
	fmt.Fprint(w, "package main\n\nimport (\n\"os\"\n\n\"whorl/fghc/check\"\n\"whorl/fghc/emulator\"\n\"whorl/fghc/standalone\"\n)\n\n")
	fmt.Fprintf(w, "func main() {\nos.Exit(standalone.Main(&standalone.Program{\nName: %q, Args: %#v, Goal: %q, Native: &procedures,\n", p.Name, p.Args, p.Goal)
	fmt.Fprint(w, "Sources: []check.Source{\n")
	for _, f := range p.Files {
		fmt.Fprintf(w, "{Name: %q, Text: %q},\n", f.Name, f.Text)
	}
	fmt.Fprint(w, "},\n}))\n}\n\n")
	return native.Write(w, prog, "procedures")
}

// toolchain finds the go command.
func toolchain(ctx context.Context) (string, error) {
	const needs = "whorl build needs the Go toolchain, version " + Go + " or newer (https://go.dev/doc/install)"
	path, err := exec.LookPath("go")
	if err != nil {
		return "", errors.New(needs + ": there is no go command in PATH")
	}
	cmd := exec.CommandContext(ctx, path, "env", "GOVERSION")
	cmd.Env = environment()
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %s env GOVERSION: %w", needs, path, err)
	}
	if v := strings.TrimSpace(string(out)); version.Compare(v, "go"+Go) < 0 {
		return "", fmt.Errorf("%s: %s is %s", needs, path, v)
	}
	return path, nil
}

// environment is that of the go command. The user's may say for which system it builds, but nothing that would change modules or look for
// others.
func environment() []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GO111MODULE=on", "GOENV=off", "GOFLAGS=", "GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off")
}

// module returns the folder of the module that the program is built in, laid out where it is not there yet.
func module() (string, error) {
	hash := sha256.New()
	files := map[string][]byte{"go.mod": []byte("module whorl\n\ngo " + Go + "\n")}
	err := fs.WalkDir(whorl.Source, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := whorl.Source.ReadFile(path)
		files[path] = text
		fmt.Fprintf(hash, "%s %d\n%s", path, len(text), text)
		return err
	})
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder to build in: %w", err)
	}
	root := filepath.Join(cache, "whorl", fmt.Sprintf("build-%x", hash.Sum(nil)[:8]))
	if info, err := os.Stat(root); err == nil && info.IsDir() {
		return root, nil
	}
	if err := os.MkdirAll(filepath.Dir(root), 0o700); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(filepath.Dir(root), "part-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part)
	for path, text := range files {
		name := filepath.Join(part, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return "", err
		}
	}
	if err := os.Rename(part, root); err != nil {
		if info, statErr := os.Stat(root); statErr != nil || !info.IsDir() { // nobody else has laid it out meanwhile
			return "", err
		}
	}
	return root, nil
}
