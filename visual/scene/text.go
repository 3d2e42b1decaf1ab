package scene

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Measurer measures text; visual/glyph implements it. Numbers are in pixels.
type Measurer interface {
	Width(s string, size float32, face Face) float32
	Metrics(size float32, face Face) Metrics
}

// Wrap breaks a text between words into lines of at most a width. A word that is longer is a line of its own. A number stays with its unit.
func Wrap(m Measurer, text string, width, size float32, face Face) (lines []string) {
	line := ""
	for _, word := range Words(text) {
		longer := strings.TrimPrefix(line+" "+word, " ")
		if line != "" && m.Width(longer, size, face) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// Words returns the words of a text. A number and its unit are one word.
func Words(text string) []string {
	all := strings.Fields(text)
	n := 0
	for _, word := range all {
		if n > 0 && strings.ContainsAny(all[n-1][len(all[n-1])-1:], "0123456789") && strings.Contains(" % ns µs ms s ", " "+strings.TrimRight(word, ".,:;)")+" ") {
			all[n-1] += " " + word
			continue
		}
		all[n] = word
		n++
	}
	return all[:n]
}

// Elide cuts a text to a width and ends it with an ellipsis, after a whole word if that keeps two thirds of the text that fits. It returns "" if
// no letter fits beside the ellipsis.
func Elide(m Measurer, s string, width, size float32, face Face) string {
	if m.Width(s, size, face) <= width+Slack {
		return s
	}
	runes := []rune(first(s, mostBytes))
	cut := func(keep int) string { return strings.TrimRight(string(runes[:keep]), " ,;:·") + "…" }
	keep := longest(m, len(runes), width, size, face, cut)
	for k := keep; k > keep*2/3; k-- {
		if unicode.IsSpace(runes[k]) {
			return cut(k)
		}
	}
	if keep == 0 {
		return ""
	}
	return cut(keep)
}

// ElideMiddle is like Elide but replaces the middle of the text. Two thirds of what is left are from its beginning, and it is cut between words if that
// costs little. It suits names, which often differ at their ends.
func ElideMiddle(m Measurer, s string, width, size float32, face Face) string {
	if m.Width(s, size, face) <= width+Slack {
		return s
	}
	if len(s) > mostBytes {
		s = first(s, mostBytes/2) + "…" + last(s, mostBytes/2)
	}
	runes := []rune(s)
	cut := func(keep int) string { return string(runes[:keep-keep/3]) + "…" + string(runes[len(runes)-keep/3:]) }
	keep := longest(m, len(runes), width, size, face, cut)
	if keep == 0 {
		return ""
	}
	left, right := keep-keep/3, len(runes)-keep/3
	for k := left; k > left*4/5; k-- {
		if unicode.IsSpace(runes[k]) {
			left = k
			break
		}
	}
	for k := right; k < right+keep/15+1; k++ {
		if unicode.IsSpace(runes[k-1]) {
			right = k
			break
		}
	}
	return strings.TrimRight(string(runes[:left]), " ,;:·") + "…" + string(runes[right:])
}

// Slack is the length in pixels by which a shortened text may exceed its width, since widths are sums of rounded numbers.
const Slack = 0.01

const mostBytes = 4096 // of a text that is cut

// first returns the characters within the first n bytes of a text.
func first(s string, n int) string {
	for n < len(s) && n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:min(len(s), n)]
}

// last returns the characters within the last n bytes of a text.
func last(s string, n int) string {
	from := max(len(s)-n, 0)
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}

// longest returns the largest number below n such that the text returned by cut fits into a width, 0 if none fits.
func longest(m Measurer, n int, width, size float32, face Face, cut func(keep int) string) int {
	return max(0, sort.Search(n, func(keep int) bool { return m.Width(cut(keep), size, face) > width+Slack })-1)
}

// Metrics holds the heights of a face at a size, all positive, in pixels.
type Metrics struct {
	Ascent    float32 // baseline up to the top of the line
	Descent   float32 // baseline down to the bottom of the line
	CapHeight float32 // baseline up to the top of a capital letter
	Line      float32 // recommended distance of baselines
}

// Shift returns the offset from a text's y to its baseline.
func (m Metrics) Shift(v VAlign) float32 {
	switch v {
	case Top:
		return m.Ascent
	case Center:
		return m.CapHeight / 2
	case Bottom:
		return -m.Descent
	}
	return 0
}
