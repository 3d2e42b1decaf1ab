package view

import (
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
	lo, hi := 0, len(runes) // the widest prefix that fits is at least lo and below hi
	for lo+1 < hi {
		mid := (lo + hi) / 2
		if m.Width(string(runes[:mid])+"…", size, face) <= width {
			lo = mid
		} else {
			hi = mid
		}
	}
	cut := strings.TrimRight(string(runes[:lo]), " ,;:") + "…"
	if m.Width(cut, size, face) > width {
		return ""
	}
	return cut
}

// ElideMiddle is like Elide but replaces the middle of the text. It suits names, which often differ at their ends.
func ElideMiddle(m scene.Measurer, s string, width, size float32, face scene.Face) string {
	if m.Width(s, size, face) <= width {
		return s
	}
	runes := []rune(s)
	cut := func(keep int) string { return string(runes[:keep-keep/3]) + "…" + string(runes[len(runes)-keep/3:]) }
	lo, hi := 0, len(runes)
	for lo+1 < hi {
		mid := (lo + hi) / 2
		if m.Width(cut(mid), size, face) <= width {
			lo = mid
		} else {
			hi = mid
		}
	}
	if c := cut(lo); m.Width(c, size, face) <= width {
		return c
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
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		longer := strings.TrimPrefix(line+" "+word, " ")
		if line != "" && m.Width(longer, size, face) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
		if m.Width(line, size, face) > width {
			line = Elide(m, line, width, size, face)
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// SpeedText returns the text of a Shared.Speed: 1/4×, 2×.
func SpeedText(speed int) string {
	if speed < 0 {
		return "1/" + strconv.Itoa(1<<min(-speed, MaxSpeed)) + "×"
	}
	return strconv.Itoa(1<<min(speed, MaxSpeed)) + "×"
}
