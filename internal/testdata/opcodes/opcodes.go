// Package opcodes reads the documentation of opcodes, for tests that it is complete.
package opcodes

import (
	"os"
	"regexp"
	"testing"
)

// pattern matches a comment of the form before opcode<operands> after.
var pattern = regexp.MustCompile(`(?m)^\t.* // \S.*?  ([a-z0-9.]+)<.*>  +\S.*$`)

// Documented returns the opcodes that comments at the ends of lines document, in the order of the files.
func Documented(t testing.TB, files ...string) []string {
	t.Helper()
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pattern.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names
}
