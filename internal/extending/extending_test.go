// Package extending tests the examples of docs/extending.md: it adds their files to a copy of the module, builds Whorl, and runs the commands and
// the tests of the changed packages.
package extending

import (
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
)

// A page holds the files and commands of the document.
type page struct {
	files    map[string]string // text by path, below the root of the module
	commands []string
}

var (
	fileLine = regexp.MustCompile("^File `([^`]+)`:$")
	addLine  = regexp.MustCompile("^Add to `([^`]+)` in `([^`]+)`(?:, after `([^`]+)`)?:$")
)

// read parses the document. An "Add to" block is appended to a composite literal; its lines that are imports are added to the imports.
func read(t *testing.T, root, text string) page {
	p := page{files: map[string]string{}}
	var take func(code string)
	var code strings.Builder
	inside := false
	section, lines := "", 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(trimmed, "#"); ok && !inside {
			section, lines = strings.TrimLeft(name, "# "), 0
		}
		if lines++; lines == 101 {
			t.Errorf("the section %q has more than 100 lines", section)
		}
		if strings.HasPrefix(trimmed, "```") {
			if inside && take != nil {
				take(code.String())
				take = nil
			}
			inside = !inside
			code.Reset()
			continue
		}
		if inside {
			code.WriteString(line)
			continue
		}
		if command, ok := strings.CutPrefix(line, "    whorl "); ok {
			p.commands = append(p.commands, strings.TrimSpace(command))
		}
		if m := fileLine.FindStringSubmatch(trimmed); m != nil {
			take = func(code string) {
				if p.files[m[1]] = code; filepath.Ext(m[1]) != ".go" {
					return
				}
				if b, err := format.Source([]byte(code)); err != nil || string(b) != code {
					t.Errorf("gofmt changes %s: %v", m[1], err)
				}
			}
		}
		if m := addLine.FindStringSubmatch(trimmed); m != nil {
			take = func(code string) { p.files[m[2]] = add(t, root, m[2], m[1], m[3], code) }
		}
	}
	return p
}

// add returns the text of a file with lines added to the literal of a variable: after an entry, or at the end.
func add(t *testing.T, root, path, variable, after, code string) string {
	b := must.Get(os.ReadFile(filepath.Join(root, path)))(t)
	text := string(b)
	var imports, lines strings.Builder
	for line := range strings.Lines(code) {
		if strings.HasPrefix(strings.TrimSpace(line), `"whorl/`) {
			imports.WriteString(line)
		} else {
			lines.WriteString(line)
		}
	}
	i := strings.Index(text, "\nvar "+variable+" = ")
	if i < 0 {
		t.Fatalf("%s has no variable %s", path, variable)
	}
	literal := text[i:]
	first := literal[1 : strings.IndexByte(literal[1:], '\n')+1]
	if at := strings.Index(literal, after); after != "" && at >= 0 {
		at += len(after)
		literal = literal[:at] + " " + strings.TrimSuffix(strings.TrimSpace(lines.String()), ",") + "," + literal[at:]
	} else if strings.HasSuffix(first, "}") { // all on one line
		end := strings.LastIndexByte(first, '}') + 1
		literal = literal[:end] + ", " + strings.TrimSuffix(strings.TrimSpace(lines.String()), ",") + literal[end:]
	} else {
		end := strings.Index(literal, "\n}\n") + 1
		literal = literal[:end] + lines.String() + literal[end:]
	}
	return strings.Replace(text[:i], "import (\n", "import (\n"+imports.String(), 1) + literal
}

// TestExtending builds Whorl with all examples of docs/extending.md at once, in a copy of the source.
func TestExtending(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	root, copied := "../..", t.TempDir()
	text := must.Get(os.ReadFile(filepath.Join(root, "docs/extending.md")))(t)
	p := read(t, root, string(text))
	if len(p.files) < 10 || len(p.commands) < 6 {
		t.Fatalf("%d files and %d commands", len(p.files), len(p.commands))
	}
	copySource(t, root, copied)
	var packages []string
	for path, text := range p.files {
		write(t, filepath.Join(copied, path), text)
		if folder := "./" + filepath.Dir(path); filepath.Ext(path) == ".go" && !slices.Contains(packages, folder) {
			packages = append(packages, folder)
		}
	}
	whorl := filepath.Join(t.TempDir(), "whorl")
	run(t, copied, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-w", "-o", whorl, "./cmd/whorl")
	for _, c := range p.commands {
		run(t, copied, whorl, strings.Fields(c)...)
	}
	slices.Sort(packages)
	// The examples change no program in HPF and none of threads.
	run(t, copied, "go", append([]string{"test", "-trimpath", "-vet=off", "-buildvcs=false", "-ldflags=-w", "-skip=HPF|Thread|Node|Mixture"}, packages...)...)
}

// copySource copies the module without version control, built programs and pictures.
func copySource(t *testing.T, from, to string) {
	must.Do(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.Base(path)
		if d.IsDir() && (name == ".git" || name == "bin" || name == "out" || name == "dist" && filepath.Base(filepath.Dir(path)) == "serve") {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() || filepath.Ext(path) == ".png" {
			return nil
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		write(t, filepath.Join(to, rel), string(b))
		return nil
	}))
	write(t, filepath.Join(to, "serve/dist/README"), "The page of the viewer goes here.\n")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
}
