// Package examples builds and runs the example programs.
package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestThreads checks the output of the programs that use dts, live and simulated.
func TestThreads(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir+"/", "./wordcount", "./heat", "./primes").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var files []string
	for _, f := range []struct{ name, text string }{{"a.txt", "A rose is a rose.\nIs it?\n"}, {"b.txt", "\"A thorn\", it is: a thorn!\n"}} {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, []byte(f.text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	for _, c := range []struct {
		program string
		args    []string
		env     string
		want    string
	}{
		{"wordcount", files, "WHORL_PES=3", "      4 a\n      3 is\n      2 it\n      2 rose\n      2 thorn\n"},
		{"heat", []string{"100"}, "WHORL_PES=4", "cell 1 96.02, cell 4096 3.98, last change 0.2424\n"},
		{"heat", []string{"100"}, "WHORL_MODE=sim", "cell 1 96.02, cell 4096 3.98, last change 0.2424\n"},
		{"primes", []string{"50000"}, "WHORL_PES=2", "5133 primes below 50000\n"},
		{"primes", []string{"50000"}, "WHORL_MODE=sim", "5133 primes below 50000\n"},
		{"primes", []string{"50000"}, "WHORL_LISTEN=127.0.0.1:0", "5133 primes below 50000\n"},
	} {
		cmd := exec.Command(filepath.Join(dir, c.program), c.args...)
		cmd.Env = append(os.Environ(), c.env)
		if out, err := cmd.Output(); err != nil || string(out) != c.want {
			t.Errorf("%s, %s: %v, %q, want %q", c.program, c.env, err, out, c.want)
		}
	}
}
