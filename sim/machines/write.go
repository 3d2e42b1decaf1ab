package machines

import (
	"fmt"
	"strconv"
	"strings"
)

// Text returns the machine as a file that Read reads. notes has the comments of keys; a key without one has none.
func (p Preset) Text(notes map[string]string) string {
	var b strings.Builder
	for _, f := range fields {
		value := ""
		switch {
		case f.text != nil:
			if value = tomlString(*f.text(&p)); f.optional && *f.text(&p) == "" {
				continue
			}
		case f.whole != nil:
			value = strconv.Itoa(*f.whole(&p))
		case f.time != nil:
			value = strconv.FormatInt(*f.time(&p.Model), 10)
		case f.flag != nil:
			if !*f.flag(&p.Model) {
				continue
			}
			value = "true"
		default:
			value = strconv.FormatFloat(float64(*f.ps(&p.Model))/1000, 'f', -1, 64)
		}
		line := fmt.Sprintf("%-14s = %s", f.key, value)
		if note := notes[f.key]; note != "" {
			line = fmt.Sprintf("%-26s # %s", line, note)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// tomlString quotes a text as TOML does: its strings have no \x and no \a.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
