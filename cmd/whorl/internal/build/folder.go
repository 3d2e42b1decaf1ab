package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// Folder compiles the Go program of a folder into the folder temp and returns its path. The go command writes its messages to stderr. With
// reproducible, the file does not depend on where the folder and Whorl's source are.
func Folder(ctx context.Context, folder, temp string, reproducible bool, stderr io.Writer) (program string, err error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", errors.New(folder + " is a folder: whorl needs the go command to build its program, and there is none")
	}
	dir, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	program = filepath.Join(temp, filepath.Base(dir))
	args := []string{"build", "-o", program}
	env := os.Environ()
	if reproducible {
		args = append(args, "-trimpath", "-buildvcs=false")
	}
	if !inModule(dir) {
		overlay, work, err := supplyModule(dir, temp)
		if err != nil {
			return "", err
		}
		args = append(args, "-overlay", overlay)
		env = append(env, "GOFLAGS=-mod=readonly", "GOWORK="+work)
	}
	build := exec.CommandContext(ctx, "go", append(args, ".")...)
	build.Dir, build.Env, build.Stdout, build.Stderr = dir, env, stderr, stderr
	if err := build.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", errors.New(folder + " cannot be built; see above")
	}
	if info, err := os.Stat(program); err != nil || info.Mode().Perm()&0o111 == 0 {
		return "", errors.New(folder + " is not a program: its package is not main")
	}
	return program, nil
}

// inModule reports whether a folder belongs to a Go module.
func inModule(folder string) bool {
	env := exec.Command("go", "env", "GOMOD")
	env.Dir = folder
	out, err := env.Output()
	mod := strings.TrimSpace(string(out))
	return err == nil && mod != "" && mod != os.DevNull
}

// goLine matches the line of a go.mod with the version of Go.
var goLine = regexp.MustCompile(`(?m)^go .*$`)

// supplyModule makes an overlay with a go.mod for a folder, and a workspace of the folder and Whorl's source. A workspace leaves no path in the
// program, unlike a replacement in the go.mod.
func supplyModule(folder, temp string) (overlay, work string, err error) {
	source, err := findSource()
	if err != nil {
		return "", "", err
	}
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return "", "", err
	}
	sums, err := os.ReadFile(filepath.Join(source, "go.sum"))
	if err != nil {
		return "", "", err
	}
	_, requires, _ := strings.Cut(string(mod), "\n") // after the line that names the module
	version := goLine.FindString(requires)
	work = filepath.Join(temp, "go.work")
	text := version + "\n\nuse " + strconv.Quote(folder) + "\nuse " + strconv.Quote(source) + "\n"
	if err := os.WriteFile(work, []byte(text), 0o600); err != nil {
		return "", "", err
	}
	replace := map[string]string{}
	for name, text := range map[string]string{"go.mod": "module program\n" + requires, "go.sum": string(sums)} {
		path := filepath.Join(temp, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return "", "", err
		}
		replace[filepath.Join(folder, name)] = path
	}
	overlay = filepath.Join(temp, "overlay.json")
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", "", err
	}
	return overlay, work, os.WriteFile(overlay, list, 0o600)
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
