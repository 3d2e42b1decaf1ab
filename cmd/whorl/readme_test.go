package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"whorl/cmd/whorl/internal/cli"
)

// TestReadme carries out the commands of the README in their order, with the program that it tells to write.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var program strings.Builder
	var commands []string
	inside := false
	for line := range strings.Lines(string(text)) {
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case strings.HasPrefix(code, "whorl view ") || strings.Contains(code, " --open"):
			inside = false // these stay until the viewer is closed; they have tests of their own
		case strings.HasPrefix(code, "whorl "):
			commands = append(commands, strings.TrimSpace(code))
			inside = false
		case strings.HasSuffix(strings.TrimSpace(line), "`sort.fghc`:"):
			inside = program.Len() == 0
		case inside && indented:
			program.WriteString(code)
		case inside && strings.TrimSpace(line) != "":
			inside = false
		}
	}
	if len(commands) < 8 || program.Len() == 0 {
		t.Fatalf("found %d commands and %d bytes of program", len(commands), program.Len())
	}
	if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil { // what is built is built where the tests are
		t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	if err := os.WriteFile("sort.fghc", []byte(program.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		var stdout, stderr bytes.Buffer
		if status := cli.Main(words(c)[1:], strings.NewReader(""), &stdout, &stderr); status != 0 {
			t.Errorf("%s: exit status %d\n%s", c, status, &stderr)
		}
		if strings.HasPrefix(c, "whorl run sort.fghc --goal") && stdout.String() != "X = [1,2,3,4,5]\n" {
			t.Errorf("%s: %s", c, &stdout)
		}
	}
}

var word = regexp.MustCompile(`'[^']*'|\S+`)

// words splits a command as a shell does, as far as the README needs it.
func words(command string) []string {
	all := word.FindAllString(command, -1)
	for i, w := range all {
		all[i] = strings.Trim(w, "'")
	}
	return all
}
