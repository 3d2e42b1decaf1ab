package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"whorl/cmd/whorl/internal/cli"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// TestReadme runs the commands of the README and then those of the guide, in order, on the program sort.fghc of the README and the files of the
// source that they name.
func TestReadme(t *testing.T) {
	readme := must.Get(os.ReadFile("../../README.md"))(t)
	guide := must.Get(os.ReadFile("../../docs/guide.md"))(t)
	program := codeAfter(string(readme), "`sort.fghc`:")
	commands := commandsIn(string(readme))
	if len(commands) < 8 || program == "" {
		t.Fatalf("README: %d commands and %d bytes of program", len(commands), len(program))
	}
	more := commandsIn(string(guide))
	if len(more) < 20 {
		t.Fatalf("guide: %d commands", len(more))
	}
	if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil { // whorl build shares the cache of the tests
		t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	root := moduleRoot(t)
	t.Setenv("WHORL_SOURCE", root)
	t.Chdir(t.TempDir())
	for _, folder := range []string{"examples/heat", "testdata/profiles", "testdata/traces", "testdata/mpi", "testdata/ninja"} {
		must.Do(t, os.CopyFS(folder, os.DirFS(filepath.Join(root, folder))))
	}
	grid := codeAfter(string(guide), "Write its values into a file, `latency.toml`:")
	must.Do(t, os.WriteFile("latency.toml", []byte(grid), 0o644))
	must.Do(t, os.WriteFile("sort.fghc", []byte(program), 0o644))
	done := map[string]bool{}
	for _, c := range append(commands, more...) {
		if done[c] {
			continue
		}
		done[c] = true
		var stdout, stderr bytes.Buffer
		if ownProcess(c) {
			if out, err := exec.Command(whorlPath(t), words(c)[1:]...).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", c, err, out)
			}
		} else if status := inProcess(c, &stdout, &stderr); status != 0 {
			t.Errorf("%s: exit status %d\n%s", c, status, &stderr)
		}
		if strings.HasPrefix(c, "whorl run sort.fghc --goal") && stdout.String() != "X = [1,2,3,4,5]\n" {
			t.Errorf("%s: %s", c, &stdout)
		}
	}
}

// inProcess runs a command in this process and returns its exit status. A command that measures as long as it may gets a limit that is enough where nothing
// else runs, and its own one if it is not.
func inProcess(command string, stdout, stderr *bytes.Buffer) (status int) {
	args := words(command)[1:]
	if args[0] == "calibrate" && !testenv.Soak() {
		short := append(slices.Clone(args), "--max-time", "3s")
		if cli.Main(short, strings.NewReader(""), stdout, stderr) == 0 {
			return 0
		}
		stdout.Reset()
		stderr.Reset()
	}
	return cli.Main(args, strings.NewReader(""), stdout, stderr)
}

// ownProcess reports whether a command limits the memory of its process, or starts its program again.
func ownProcess(command string) bool {
	return strings.Contains(command, "--max-memory") || strings.Contains(command, "--nodes")
}

// commandsIn returns the whorl commands in the indented code of a document, without those that open the viewer or serve its page and wait until that ends, and
// those that need perf.
func commandsIn(text string) []string {
	var commands []string
	for line := range strings.Lines(text) {
		c, indented := strings.CutPrefix(line, "    whorl ")
		if indented && !strings.HasPrefix(c, "view ") && !strings.HasPrefix(c, "serve ") && c != "lesson load-balance" && !strings.HasPrefix(c, "record ") && !strings.Contains(c, " --open") {
			commands = append(commands, "whorl "+strings.TrimSpace(c))
		}
	}
	return commands
}

// codeAfter returns the indented code that follows the line that ends with a text.
func codeAfter(text, end string) string {
	var code strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		c, indented := strings.CutPrefix(line, "    ")
		switch {
		case strings.HasSuffix(strings.TrimSpace(line), end):
			inside = true
		case inside && indented:
			code.WriteString(c)
		case inside && strings.TrimSpace(line) == "":
			code.WriteString("\n")
		case inside:
			return code.String()
		}
	}
	return code.String()
}

var word = regexp.MustCompile(`'[^']*'|\S+`)

// words splits a command into words as a shell does; only single quotes are known.
func words(command string) []string {
	all := word.FindAllString(command, -1)
	for i, w := range all {
		all[i] = strings.Trim(w, "'")
	}
	return all
}
