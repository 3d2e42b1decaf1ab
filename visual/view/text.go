package view

import (
	"slices"
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

// Write draws a text, shortened by Elide to a width in pixels. It draws nothing if not even the ellipsis fits.
func (f *Frame) Write(out *scene.List, x, y float64, s string, width float64, t scene.TextStyle) {
	out.Text(float32(x), float32(y), scene.Elide(f.Text, s, float32(width), t.Size, t.Face), t)
}

// WriteName is like Write, but shortens the text by ElideMiddle.
func (f *Frame) WriteName(out *scene.List, x, y float64, s string, width float64, t scene.TextStyle) {
	out.Text(float32(x), float32(y), scene.ElideMiddle(f.Text, s, float32(width), t.Size, t.Face), t)
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
		lines[i] = scene.Elide(m, line, width, size, face)
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
