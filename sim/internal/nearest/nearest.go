// Package nearest finds the known names that an unknown one may have meant.
package nearest

import (
	"fmt"
	"sort"
	"strings"
)

// Names returns the known names that are within a third of name's length of it in edits (insert, delete, replace, swap neighbours), at
// least 1 edit, or that begin with it; the nearest first.
func Names(name string, known []string) []string {
	type hit struct {
		name string
		far  int
	}
	var hits []hit
	name = strings.ToLower(name)
	for _, k := range known {
		d := distance(name, strings.ToLower(k))
		if len(name) > 1 && strings.HasPrefix(strings.ToLower(k), name) {
			d = 1
		}
		if d <= max(1, len(k)/3) {
			hits = append(hits, hit{k, d})
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].far < hits[j].far })
	out := make([]string, 0, 3)
	for _, h := range hits[:min(3, len(hits))] {
		out = append(out, h.name)
	}
	return out
}

// Unknown is the error for a name of some kind of thing that is not among the known ones. It names the nearest, or all if none is near.
func Unknown(kind, name string, known []string) error {
	if near := Names(name, known); len(near) > 0 {
		return fmt.Errorf("unknown %s %q; did you mean %s?", kind, name, strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown %s %q; known are %s", kind, name, strings.Join(known, ", "))
}

// distance is the optimal string alignment distance of a and b in bytes; names longer than 64 bytes are far from everything.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var row [3][65]int
	for j := range len(b) + 1 {
		row[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur, up, up2 := &row[i%3], &row[(i+2)%3], &row[(i+1)%3]
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			d := up[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, up[j]+1, cur[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, up2[j-2]+1)
			}
			cur[j] = d
		}
	}
	return row[len(a)%3][len(b)]
}
