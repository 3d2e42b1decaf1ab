package nativetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"whorl/fghc/native"
	"whorl/fghc/testdata/fghctest"
	"whorl/testdata/testenv"
)

// A Binary is a running process with the functions of some programs. It answers questions about them.
type Binary struct {
	questions *json.Encoder
	answers   *json.Decoder
}

// folder is the apparent folder of the main package of a binary, so that it may import packages of this module.
const folder = "fghc/testdata/nativetest/binary"

// Build builds and starts a binary for the texts of programs, with the race detector if the test has it. The process
// ends with the test.
func Build(t testing.TB, texts []string) *Binary {
	t.Helper()
	var main bytes.Buffer
	main.WriteString("package main\nimport (\"whorl/fghc/emulator\"; \"whorl/fghc/testdata/nativetest\")\n")
	names := make([]string, len(texts))
	for i, text := range texts {
		names[i] = fmt.Sprintf("n%d", i)
		if err := native.Write(&main, fghctest.Compile(t, "p.fghc", text), names[i]); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintf(&main, "func main() { nativetest.Serve(%#v, []*emulator.Native{&%s}) }\n", texts, strings.Join(names, ", &"))
	return start(t, compileGo(t, main.Bytes()))
}

// compileGo builds the text of a main package as if it were in folder.
func compileGo(t testing.TB, text []byte) string {
	t.Helper()
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, overlay, out := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "binary")
	there := filepath.Join(strings.TrimSpace(string(root)), folder, "main.go")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {there: source}})
	if err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string][]byte{source: text, overlay: replace} {
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"build", "-overlay", overlay, "-o", out, "-ldflags=-s -w", fmt.Sprintf("-race=%t", testenv.Race), "whorl/" + folder}
	if said, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return out
}

func start(t testing.TB, binary string) *Binary {
	t.Helper()
	cmd := exec.Command(binary)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the binary failed: %v", err)
		}
	})
	return &Binary{json.NewEncoder(in), json.NewDecoder(out)}
}

// Run runs a query in the binary.
func (b *Binary) Run(t testing.TB, r Run) *Result {
	t.Helper()
	result := new(Result)
	if err := b.questions.Encode(r); err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	if err := b.answers.Decode(result); err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return result
}
