package syntax

import "strings"

// free cuts a source in free form.
func (s *sources) free(src *source) []stmt {
	var out []stmt
	c := collector{}
	open := false // the last line ended with &
	flush := func() {
		if len(c.text) > 0 {
			c.src = src
			s.freeLabel(src, &c)
			out = append(out, c.taken())
		}
		c.next()
		open = false
	}
	for n, start := range src.starts {
		line := src.line(n)
		lead := len(line) - len(strings.TrimLeft(line, " \t"))
		if lead == len(line) {
			continue
		}
		if !open && s.unprocessed(src, start, line) {
			continue
		}
		skip := sentinel(line[lead:], false)
		directive := skip > 0
		if !directive && line[lead] == '!' {
			continue
		}
		if open && c.directive != directive {
			if directive || c.quote == 0 {
				if !directive && c.directive {
					s.fail(src, start+int32(lead), "a line that begins with !HPF$", "this line does not continue the directive before it")
				}
				if directive {
					s.fail(src, start+int32(lead), "the rest of the statement", "a directive interrupts a continued statement")
				}
			}
			flush()
		}
		from := lead + skip
		if open {
			at := from + len(line[from:]) - len(strings.TrimLeft(line[from:], " \t"))
			if at < len(line) && line[at] == '&' {
				from = at + 1 // the statement continues here, even within a name
			} else {
				c.gapped = c.quote == 0
			}
		} else {
			flush()
			c.directive = directive
		}
		open = s.freeText(src, &c, n, from, flush)
		if !open {
			flush()
		}
	}
	if open {
		s.fail(src, c.end, "another line", "the last line ends with a continuation")
	}
	flush()
	return out
}

const freeColumns = 132 // columns of a line in standard Fortran

// freeText adds line n from a column on, and reports whether the statement continues in the next line.
func (s *sources) freeText(src *source, c *collector, n, from int, flush func()) bool {
	line, start := src.line(n), src.starts[n]
	for i := from; i < len(line); i++ {
		ch := line[i]
		if i == freeColumns && !src.replaced(n) && ch != '!' && strings.TrimSpace(line[i:]) != "" {
			s.warn(src, start+int32(i), "", "the line has more than %d columns, which other compilers may not read", freeColumns)
		}
		if c.quote != 0 {
			if ch == '&' && strings.TrimSpace(line[i+1:]) == "" {
				return true
			}
			c.add(ch, start+int32(i))
			continue
		}
		switch ch {
		case '!':
			return false
		case '&':
			if rest := strings.TrimSpace(line[i+1:]); rest == "" || rest[0] == '!' {
				return true
			}
			c.add(ch, start+int32(i))
		case ';':
			directive := c.directive
			flush()
			c.directive = directive
		default:
			c.add(ch, start+int32(i))
		}
	}
	return false
}

// freeLabel removes the label from the front of a statement.
func (s *sources) freeLabel(src *source, c *collector) {
	n := 0
	for n < len(c.text) && n < 6 && '0' <= c.text[n] && c.text[n] <= '9' && (n == 0 || !c.gap[n]) {
		n++
	}
	if n == 0 || c.directive {
		return
	}
	if n > 5 || n == len(c.text) || !c.gap[n] {
		return // the parser reports the error
	}
	for _, ch := range c.text[:n] {
		c.label = c.label*10 + int(ch-'0')
	}
	c.labelAt = c.offsets[0]
	c.text, c.offsets, c.gap = c.text[n:], c.offsets[n:], c.gap[n:]
}
