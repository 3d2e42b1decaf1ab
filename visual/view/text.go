package view

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"whorl/visual/scene"
)

// Capital returns an ASCII word with its first letter in upper case.
func Capital(word string) string {
	if word != "" && 'a' <= word[0] && word[0] <= 'z' {
		return string(word[0]-'a'+'A') + word[1:]
	}
	return word
}

// Elide shortens a text to a width and ends it with an ellipsis. It returns "" if not even the ellipsis fits.
func Elide(m scene.Measurer, s string, width, size float32, face scene.Face) string {
	if m.Width(s, size, face) <= width {
		return s
	}
	runes := []rune(s)
	return longest(m, len(runes), width, size, face, func(keep int) string { return strings.TrimRight(string(runes[:keep]), " ,;:") + "…" })
}

// ElideMiddle is like Elide but replaces the middle of the text. It suits names, which often differ at their ends.
func ElideMiddle(m scene.Measurer, s string, width, size float32, face scene.Face) string {
	if m.Width(s, size, face) <= width {
		return s
	}
	runes := []rune(s)
	return longest(m, len(runes), width, size, face, func(keep int) string {
		return string(runes[:keep-keep/3]) + "…" + string(runes[len(runes)-keep/3:])
	})
}

// Write draws a text, shortened by Elide to a width in pixels. It draws nothing if not even the ellipsis fits.
func (f *Frame) Write(out *scene.List, x, y float64, s string, width float64, t scene.TextStyle) {
	put(out, float32(x), float32(y), Elide(f.Text, s, float32(width), t.Size, t.Face), t)
}

// WriteName is like Write, but shortens the text by ElideMiddle.
func (f *Frame) WriteName(out *scene.List, x, y float64, s string, width float64, t scene.TextStyle) {
	put(out, float32(x), float32(y), ElideMiddle(f.Text, s, float32(width), t.Size, t.Face), t)
}

// longest returns the text that keeps most of n characters and fits into a width, "" if none fits.
func longest(m scene.Measurer, n int, width, size float32, face scene.Face, cut func(keep int) string) string {
	if k := sort.Search(n, func(keep int) bool { return m.Width(cut(keep), size, face) > width }); k > 0 {
		return cut(k - 1)
	}
	return ""
}

// Printable returns a source line without tabs and control characters, at most most characters long.
func Printable(line string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range line {
		switch {
		case n >= most:
			b.WriteRune('…')
			return b.String()
		case r == '\t':
			for pad := 8 - n%8; pad > 0; pad-- {
				b.WriteByte(' ')
				n++
			}
			continue
		case r == '\r':
			continue
		case !unicode.IsPrint(r):
			r = '·'
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// Wrap breaks a text between words into lines of at most a width. It shortens words that are longer.
func Wrap(m scene.Measurer, s string, width, size float32, face scene.Face) []string {
	lines := scene.Wrap(m, s, width, size, face)
	for i, line := range lines {
		lines[i] = Elide(m, line, width, size, face)
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// SpeedText returns the text of a Shared.Speed: 1/4×, 2×.
func SpeedText(speed int) string {
	if speed < 0 {
		return "1/" + strconv.Itoa(1<<min(-speed, MaxSpeed)) + "×"
	}
	return strconv.Itoa(1<<min(speed, MaxSpeed)) + "×"
}
