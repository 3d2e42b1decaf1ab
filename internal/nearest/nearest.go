// Package nearest suggests known names for an unknown name.
//
// A name is near if its distance is at most a third of the characters of the wanted name, and at least one edit is allowed. An edit inserts,
// deletes or replaces a character or swaps two neighbours: the optimal string alignment distance (Damerau, "A technique for computer detection and
// correction of spelling errors", CACM 7(3), 1964; computed as by Wagner and Fischer, JACM 21(1), 1974). Letters that differ only in case are
// equal. A known name that begins with a wanted name of at least three characters is near too.
package nearest

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	most    = 3  // names in an answer
	longest = 64 // characters; a longer name is not a typing error, and the distance takes time proportional to the product of the lengths
)

// Names returns at most three of the known names that are near want, nearest first and by name among equals. It returns nil when none is.
func Names(want string, known []string) []string {
	n := utf8.RuneCountInString(want)
	if n == 0 || n > longest {
		return nil
	}
	limit := max(1, n/3)
	if n == 1 {
		limit = 0 // one edit would reach every other name of one letter
	}
	type near struct {
		name     string
		distance int
	}
	var found []near
	folded := []rune(strings.ToLower(want))
	for _, name := range known {
		length := utf8.RuneCountInString(name)
		begins := n >= 3 && hasPrefixFold(name, want)
		if length == 0 || !begins && (length > n+limit || length < n-limit) {
			continue
		}
		d := limit + 1
		if length <= n+limit {
			d = distance(folded, []rune(strings.ToLower(name)))
		}
		if d <= limit || begins {
			found = append(found, near{name, min(d, limit+1)})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	found = slices.Compact(found)
	var names []string
	for _, f := range found[:min(most, len(found))] {
		names = append(names, f.name)
	}
	return names
}

func hasPrefixFold(name, prefix string) bool {
	return len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix)
}

// distance returns the number of edits from a to b. It computes the table for all prefixes row by row; a swap looks two rows back, so it keeps
// three rows.
func distance(a, b []rune) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, above, row = above, row, before
		row[0] = i + 1
		for j := range b {
			substitute := above[j]
			if a[i] != b[j] {
				substitute++
			}
			row[j+1] = min(substitute, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
