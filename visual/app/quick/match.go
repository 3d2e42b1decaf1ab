package quick

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Points of a match.
const (
	pointNext  = 8 // the letter follows the last one
	pointWord  = 6 // the letter begins a word
	pointFirst = 4 // the letter begins the text, in addition
	pointDoc   = 4 // the first letter of a word in a description
	mostGap    = 5 // a letter loses a point for each letter between it and the last one, up to this
	lost       = math.MinInt32 / 2
	mostLetter = 64  // of a pattern; more match nothing
	mostText   = 256 // of a text; letters after them match nothing
)

// Match finds the letters of a pattern in a text, in the same order and without regard to case and to blanks in the pattern. Letters that follow each
// other or begin words are better, and those with letters between them are worse: the match has the largest sum of points. marks are the positions of the letters, counted in letters. An empty
// pattern matches everything with 0 points.
func Match(pattern, text string) (points int, marks []int, ok bool) {
	want := letters(pattern, mostLetter+1)
	have := []rune(text)
	if len(have) > mostText {
		have = have[:mostText]
	}
	switch {
	case len(want) == 0:
		return 0, nil, true
	case len(want) > mostLetter || len(want) > len(have):
		return 0, nil, false
	}
	// best[i][j] are the points of the first i+1 letters with the last one at j.
	best := make([][]int32, len(want))
	for i, w := range want {
		best[i] = make([]int32, len(have))
		// near and far are the best sums that end before j-1, less the points for the gap to j and without them.
		near, far := int32(lost), int32(lost)
		for j, h := range have {
			if i > 0 && j > 1 {
				near = max(near-1, best[i-1][j-2]-1)
				far = max(far, best[i-1][j-2])
			}
			best[i][j] = lost
			if unicode.ToLower(h) != w {
				continue
			}
			sum := max(near, far-mostGap)
			if i == 0 {
				sum = 0
			}
			if i > 0 && j > 0 && best[i-1][j-1] > lost {
				sum = max(sum, best[i-1][j-1]+pointNext)
			}
			if sum > lost {
				best[i][j] = sum + bonus(have, j)
			}
		}
	}
	at := 0
	last := best[len(want)-1]
	for j := range last {
		if last[j] > last[at] {
			at = j
		}
	}
	if last[at] <= lost {
		return 0, nil, false
	}
	points = int(last[at])
	marks = make([]int, len(want))
	for i := len(want) - 1; i >= 0; i-- {
		marks[i] = at
		if i == 0 {
			break
		}
		sum := best[i][at] - bonus(have, at)
		if at > 0 && best[i-1][at-1] > lost && best[i-1][at-1]+pointNext == sum {
			at--
			continue
		}
		for k := at - 2; k >= 0; k-- {
			if best[i-1][k] > lost && best[i-1][k]-gap(k, at) == sum {
				at = k
				break
			}
		}
	}
	return points, marks, true
}

// inDoc returns the points of a text of at least two letters that a description has at the beginning of a word, 0 for others.
func inDoc(text, doc string) int {
	text, doc = strings.ToLower(strings.TrimSpace(text)), strings.ToLower(doc)
	n := utf8.RuneCountInString(text)
	if n < 2 || n > mostLetter {
		return 0
	}
	for from := 0; ; {
		at := strings.Index(doc[from:], text)
		if at < 0 {
			return 0
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(doc[:at])
		if !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return pointDoc + (n-1)*pointNext
		}
		from = at + len(text)
	}
}

// gap returns the points that a letter loses for its distance from the last one.
func gap(last, at int) int32 { return int32(min(at-last-1, mostGap)) }

// letters returns the letters of a pattern in lower case, at most most of them.
func letters(pattern string, most int) (all []rune) {
	for _, r := range pattern {
		if !unicode.IsSpace(r) && len(all) < most {
			all = append(all, unicode.ToLower(r))
		}
	}
	return all
}

// bonus returns the points of a letter for its place in a text.
func bonus(text []rune, at int) int32 {
	if at == 0 {
		return pointWord + pointFirst
	}
	before, here := text[at-1], text[at]
	word := !unicode.IsLetter(before) && !unicode.IsDigit(before) || unicode.IsLower(before) && unicode.IsUpper(here) ||
		unicode.IsDigit(here) && !unicode.IsDigit(before)
	if word && (unicode.IsLetter(here) || unicode.IsDigit(here)) {
		return pointWord
	}
	return 0
}
