package numbering

import (
	"slices"
	"testing"
)

func TestList(t *testing.T) {
	var l List[string]
	var got []int32
	for _, k := range []string{"b", "a", "b", "", "a", ""} {
		got = append(got, l.Number(k))
	}
	if !slices.Equal(got, []int32{0, 1, 0, 2, 1, 2}) || !slices.Equal(l.Keys, []string{"b", "a", ""}) {
		t.Errorf("numbers %v of %q", got, l.Keys)
	}
}
