package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	gobuild "go/build"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
)

// sourceVariable is the environment variable with the folder of Whorl's source, for programs whose folder has no module.
const sourceVariable = "WHORL_SOURCE"

// IsFolder reports whether the name of a program is that of a folder.
func IsFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// A Folder is a folder with a Go program.
type Folder struct {
	Path string
	Temp string // folder for the binary and the files of the build

	// Nodes lets the program run on the nodes of a cluster: it joins clusters (package dts/cluster), and its binary does
	// not depend on where the folder and Whorl's source are.
	Nodes bool
}

// Build compiles the program and returns the path of the binary. The go command writes its messages to stderr.
func (f *Folder) Build(ctx context.Context, stderr io.Writer) (program string, err error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", errors.New(f.Path + " is a folder: whorl needs the go command to build its program, and there is none")
	}
	dir, err := filepath.Abs(f.Path)
	if err != nil {
		return "", err
	}
	program = filepath.Join(f.Temp, filepath.Base(dir))
	m, err := f.lookup(dir)
	if err != nil {
		return "", err
	}
	args := append([]string{"build", "-o", program}, m.flags...)
	if f.Nodes {
		args = append(args, "-trimpath", "-buildvcs=false")
	}
	if !strings.Contains(os.Getenv("GOFLAGS"), "-ldflags") {
		args = append(args, "-ldflags=-w") // linking takes a third less time without the tables of debuggers
	}
	build := exec.CommandContext(ctx, "go", append(args, ".")...)
	build.Dir, build.Env, build.Stdout, build.Stderr = dir, append(os.Environ(), m.env...), stderr, stderr
	if err := build.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", errors.New(f.Path + " cannot be built; see above")
	}
	if info, err := os.Stat(program); err != nil || info.Mode().Perm()&0o111 == 0 {
		return "", errors.New(f.Path + " is not a program: its package is not main")
	}
	return program, nil
}

// A lookup is how the go command finds the packages of a program.
type lookup struct{ flags, env []string }

// lookup returns the flags and variables for a folder. A folder without a module gets a temporary one.
func (f *Folder) lookup(dir string) (*lookup, error) {
	m, replace := &lookup{}, map[string]string{}
	if f.Nodes && f.imports(dir) != nil {
		join := filepath.Join(f.Temp, joinFile)
		if err := os.WriteFile(join, fmt.Appendf(nil, "package main\n\nimport _ %q\n", cluster), 0o600); err != nil {
			return nil, err
		}
		replace[filepath.Join(dir, joinFile)] = join
	}
	var err error
	if file := goEnv(dir, "GOMOD"); file == "" || file == os.DevNull {
		err = f.supply(m, dir, replace)
	} else if f.Nodes {
		err = f.extend(m, dir, file)
	}
	if err != nil || len(replace) == 0 {
		return m, err
	}
	overlay := filepath.Join(f.Temp, "overlay.json")
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	m.flags = append(m.flags, "-overlay", overlay)
	return m, os.WriteFile(overlay, list, 0o600)
}

// joinFile is the name of the file that lets a program join clusters.
const joinFile = "whorl_join.go"

// goEnv returns a setting of the go command in a folder.
func goEnv(dir, key string) string {
	env := exec.Command("go", "env", key)
	env.Dir = dir
	out, _ := env.Output() // the build reports the error
	return strings.TrimSpace(string(out))
}

// imports returns the imports of a main package, nil for another package.
func (f *Folder) imports(dir string) []string {
	if p, err := gobuild.ImportDir(dir, 0); err == nil && p.Name == "main" {
		return append([]string{}, p.Imports...)
	}
	return nil
}

// UsesCluster reports whether the program imports dts/cluster, to call cluster.Run. Others call dts.Run.
func (f *Folder) UsesCluster() bool { return slices.Contains(f.imports(f.Path), cluster) }

const cluster = "whorl/dts/cluster"

// extend lets a program whose module requires Whorl, but not the modules of dts/cluster, import that package: it adds
// Whorl's sums to a copy of its go.mod and go.sum, where the go command completes the requirements. Whorl's own module
// and workspaces need no copy.
func (f *Folder) extend(m *lookup, dir, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if work := goEnv(dir, "GOWORK"); work != "" && work != "off" || isSource(filepath.Dir(file)) {
		return nil
	}
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "whorl")
	list.Dir = dir
	source, err := list.Output()
	if err != nil {
		return nil // the build reports the missing files
	}
	sums, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(source)), "go.sum"))
	if err != nil {
		return err
	}
	own, err := os.ReadFile(filepath.Join(filepath.Dir(file), "go.sum"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	mod := filepath.Join(f.Temp, "go.mod")
	m.flags = append(m.flags, "-modfile", mod, "-mod=mod")
	return errors.Join(os.WriteFile(mod, text, 0o600), os.WriteFile(filepath.Join(f.Temp, "go.sum"), append(own, sums...), 0o600))
}

// goLine matches the line of a go.mod with the version of Go.
var goLine = regexp.MustCompile(`(?m)^go .*$`)

// supply replaces the missing go.mod of a folder, in a workspace of the folder and Whorl's source. A workspace leaves no
// path in the program, unlike a replacement in the go.mod.
func (f *Folder) supply(m *lookup, dir string, replace map[string]string) error {
	source, err := findSource()
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(source, "go.sum"))
	if err != nil {
		return err
	}
	_, requires, _ := strings.Cut(string(mod), "\n") // after the line that names the module
	version := goLine.FindString(requires)
	work := filepath.Join(f.Temp, "go.work")
	text := version + "\n\nuse " + strconv.Quote(dir) + "\nuse " + strconv.Quote(source) + "\n"
	if err := os.WriteFile(work, []byte(text), 0o600); err != nil {
		return err
	}
	for name, text := range map[string]string{"go.mod": "module program\n" + requires, "go.sum": string(sums)} {
		path := filepath.Join(f.Temp, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
		replace[filepath.Join(dir, name)] = path
	}
	m.env = []string{"GOFLAGS=" + inWorkspace(os.Getenv("GOFLAGS")), "GOWORK=" + work}
	return nil
}

// inWorkspace returns the flags of GOFLAGS that the go command takes in a workspace, whose modules it does not change.
func inWorkspace(flags string) string {
	kept := []string{"-mod=readonly"}
	for _, f := range strings.Fields(flags) {
		if name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "="); name != "mod" && name != "modfile" {
			kept = append(kept, f)
		}
	}
	return strings.Join(kept, " ")
}

// findSource returns the folder of Whorl's source: that of WHORL_SOURCE, or a parent folder of the whorl command or of the current folder.
func findSource() (string, error) {
	if dir := os.Getenv(sourceVariable); dir != "" {
		if isSource(dir) {
			return filepath.Abs(dir)
		}
		return "", fmt.Errorf("%s=%s: Whorl's source is not there", sourceVariable, dir)
	}
	var from []string
	if path, err := os.Executable(); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			from = append(from, filepath.Dir(path))
		}
	}
	if dir, err := os.Getwd(); err == nil {
		from = append(from, dir)
	}
	for _, dir := range from {
		for ; ; dir = filepath.Dir(dir) {
			if isSource(dir) {
				return dir, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", errors.New("the folder has no go.mod, and Whorl's source is not found: set " + sourceVariable + " to a clone of it, " +
		"or give the folder a go.mod that replaces whorl by one")
}

func isSource(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(text), "module whorl\n")
}

// AddSources adds to known the other source files of a folder that a trace names. A reproducible program does not contain their paths.
func AddSources(known []tracer.SourceFile, folder string, dict *tracer.Dict) []tracer.SourceFile {
	missing := map[string]bool{}
	for _, c := range dict.Codes() {
		missing[c.File] = true
	}
	delete(missing, "")
	for _, f := range known {
		delete(missing, f.Name)
	}
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // skip unreadable files
		}
		if len(missing) == 0 {
			return fs.SkipAll
		}
		if d.IsDir() && path != folder && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if info, err := d.Info(); err != nil || !missing[d.Name()] || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return nil
		}
		if text, err := os.ReadFile(path); err == nil {
			delete(missing, d.Name())
			known = append(known, tracer.SourceFile{Name: d.Name(), Text: string(text)})
		}
		return nil
	})
	return known
}
