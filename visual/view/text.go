package view

import (
	"strconv"
	"strings"
	"unicode"

	"whorl/visual/scene"
)

// Capital writes a word of ASCII with a capital.
func Capital(word string) string {
	if word != "" && 'a' <= word[0] && word[0] <= 'z' {
		return string(word[0]-'a'+'A') + word[1:]
	}
	return word
}

// Elide cuts a text to a width, with an ellipsis where something is missing, and returns "" where not even that has room.
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

// ElideMiddle is Elide for names, which differ at their ends as often as at their beginnings: the ellipsis takes the place of the middle.
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

// Printable is a line of a program as it is shown: without tabs and control characters, at most so many characters long.
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

// Wrap breaks a text into lines of at most a width, between words; a word that is too long is cut.
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

// SpeedText is a speed of State.Shared in words: 1/4×, 2×.
func SpeedText(speed int) string {
	if speed < 0 {
		return "1/" + strconv.Itoa(1<<min(-speed, MaxSpeed)) + "×"
	}
	return strconv.Itoa(1<<min(speed, MaxSpeed)) + "×"
}
