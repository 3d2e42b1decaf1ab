package viewtest

import (
	"fmt"
	"strings"

	"whorl/visual/scene"
)

// Diff describes the first differing line of the dumps of two lists. It returns "" for equal lists.
func Diff(got, want *scene.List) string {
	if got.Sum() == want.Sum() {
		return ""
	}
	a, b := dump(got), dump(want)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %s, want %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d, or numbers differ beyond the third decimal", len(a), len(b))
}

func dump(l *scene.List) []string {
	var b strings.Builder
	_ = l.Dump(&b) // a Builder has no errors
	return strings.Split(b.String(), "\n")
}
