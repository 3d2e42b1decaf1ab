package nearest

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNames(t *testing.T) {
	policies := []string{"on-demand", "steal", "steal-half", "steal-near", "breadth-first", "depth-first", "round-robin", "random", "ring"}
	tests := []struct {
		want  string
		known []string
		names []string
	}{
		{"stael", policies, []string{"steal"}},                                       // a swap is one edit
		{"seatl", policies, nil},                                                     // two swaps are too many for five letters
		{"steal-harf", policies, []string{"steal-half", "steal-near"}},               // nearest first
		{"depthfirst", policies, []string{"depth-first"}},                            // one edit
		{"STEAL-NEAR", policies, []string{"steal-near"}},                             // case is no edit
		{"rin", policies, []string{"ring"}},                                          // a letter missing
		{"bread", policies, []string{"breadth-first"}},                               // a beginning
		{"br", policies, nil},                                                        // too short for a beginning
		{"xyzzy", policies, nil},                                                     // nothing like it
		{"x", []string{"y", "z", "xy"}, nil},                                         // a single letter is near nothing
		{"X", []string{"x"}, []string{"x"}},                                          // but itself
		{"", []string{"a", ""}, nil},                                                 // no name at all
		{"aaa", []string{"aad", "aac", "aab", "aae"}, strings.Fields("aab aac aad")}, // at most three, by name
		{"aaa", []string{"aab", "aab"}, []string{"aab"}},                             // each once
		{"größe", []string{"grösse", "größer"}, []string{"größer"}},                  // characters, not bytes
		{strings.Repeat("a", 65), []string{strings.Repeat("a", 65)}, nil},            // too long for a typing error
	}
	for _, test := range tests {
		if got := Names(test.want, test.known); !slices.Equal(got, test.names) {
			t.Errorf("Names(%q, %q) = %q, want %q", test.want, test.known, got, test.names)
		}
	}
}

func TestDistanceIsSymmetricAndCountsEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.RuneFrom([]rune("abc")), 0, 8)
		a, b := letters.Draw(t, "a"), letters.Draw(t, "b")
		d := distance(a, b)
		if back := distance(b, a); back != d {
			t.Fatalf("distance %d one way and %d the other", d, back)
		}
		if (d == 0) != slices.Equal(a, b) {
			t.Fatalf("distance %d of %q and %q", d, string(a), string(b))
		}
		if d < max(len(a), len(b))-min(len(a), len(b)) || d > max(len(a), len(b)) {
			t.Fatalf("distance %d is impossible for %q and %q", d, string(a), string(b))
		}
		longer := slices.Insert(slices.Clone(a), rapid.IntRange(0, len(a)).Draw(t, "at"), 'z')
		if distance(a, longer) != 1 {
			t.Fatalf("inserting one letter into %q is not one edit", string(a))
		}
	})
}
