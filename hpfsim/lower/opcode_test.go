package lower

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"whorl/internal/testdata/opcodes"
	"whorl/testdata/must"
)

// TestOpcodesAreDocumented checks that a comment of the pattern documents each opcode.
func TestOpcodesAreDocumented(t *testing.T) {
	text := must.Get(os.ReadFile("opcode.go"))(t)
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ += "(\w+)"`).FindAllSubmatch(text, -1) {
		want = append(want, string(m[1]))
	}
	for _, o := range operators {
		if o.opcode != "" {
			want = append(want, o.opcode)
		}
	}
	want = append(want, commNames[:]...)
	got := opcodes.Documented(t, "opcode.go", "operation.go", "communicate.go")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("documented opcodes\n%q, want\n%q", got, want)
	}
}
