package report

import (
	"strings"
	"unicode/utf8"
)

// writeColumns writes lines of texts. The first n columns are as wide as their widest text: the first is flush left, the others are flush right.
// Further texts of a line follow two spaces apart.
func writeColumns(b *strings.Builder, lines [][]string, n int) {
	widths := make([]int, n)
	for _, line := range lines {
		for i := range min(len(line), len(widths)) {
			widths[i] = max(widths[i], utf8.RuneCountInString(line[i]))
		}
	}
	for _, line := range lines {
		text := ""
		for i, s := range line {
			pad := ""
			if i < len(widths) {
				pad = strings.Repeat(" ", widths[i]-utf8.RuneCountInString(s))
			}
			switch {
			case i == 0:
				text = s + pad
			case i < len(widths):
				text += "  " + pad + s
			default:
				text += "  " + s
			}
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}
