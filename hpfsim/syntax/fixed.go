package syntax

import "strings"

const lastColumn = 72

// fixed cuts a source in fixed form.
func (s *sources) fixed(src *source) []stmt {
	var out []stmt
	c := collector{}
	cut := false // the last line ends with a semicolon: a continuation of it begins a statement
	flush := func() {
		if len(c.text) > 0 {
			c.src = src
			out = append(out, c.taken())
		} else if c.label != 0 {
			s.fail(src, c.labelAt, "a statement after it, such as CONTINUE", "the label %d has no statement", c.label)
		}
		c.next()
	}
	for n, start := range src.starts {
		line := src.line(n)
		if strings.TrimLeft(line, " \t") == "" {
			continue
		}
		if s.unprocessed(src, start, line) {
			continue
		}
		directive := sentinel(line, true) > 0
		if !directive && strings.IndexByte("cC*!dD", line[0]) >= 0 {
			continue
		}
		if trimmed := strings.TrimLeft(line, " \t"); trimmed[0] == '!' && !directive && len(line)-len(trimmed) != 5 {
			continue // a comment; in column 6 ! would be a continuation
		}
		from, goesOn, tabbed := 6, false, false
		switch tab := strings.IndexByte(line[:min(len(line), 6)], '\t'); {
		case tab >= 0 && !directive:
			tabbed = true
			from = tab + 1
			if from < len(line) && '1' <= line[from] && line[from] <= '9' {
				goesOn = true
				from++
			}
		case len(line) < 6:
			from = len(line)
		default:
			goesOn = line[5] != ' ' && line[5] != '0' && line[5] != '\t'
			if directive && goesOn && (len(c.text) == 0 || !c.directive) {
				goesOn, from = false, 5 // the directive begins directly after its sentinel
			}
		}
		if goesOn && (len(c.text) > 0 || cut) && c.directive == directive {
			s.fixedText(src, &c, line, start, from, tabbed || src.replaced(n), flush)
			cut = len(c.text) == 0
			continue
		}
		if goesOn {
			s.fail(src, start+int32(min(5, len(line)-1)), "a statement before it", "a continuation line without a statement to continue")
		}
		flush()
		c.directive = directive
		if !directive {
			s.fixedLabel(src, &c, line, start, min(from, 5))
		}
		s.fixedText(src, &c, line, start, from, tabbed || src.replaced(n), flush)
		cut = len(c.text) == 0
	}
	flush()
	return out
}

// fixedLabel reads columns 1 to 5.
func (s *sources) fixedLabel(src *source, c *collector, line string, start int32, n int) {
	for i := 0; i < min(n, len(line)); i++ {
		switch ch := line[i]; {
		case ch == ' ' || ch == '\t':
		case '0' <= ch && ch <= '9':
			if c.label == 0 {
				c.labelAt = start + int32(i)
			}
			c.label = c.label*10 + int(ch-'0')
		default:
			s.fail(src, start+int32(i), "a label or blanks in columns 1 to 5, or C in column 1 for a comment", "%q is not allowed before column 7", ch)
			return
		}
	}
}

// fixedText adds the columns of a line that hold statements, which are separated by semicolons. A long line has more than 72.
func (s *sources) fixedText(src *source, c *collector, line string, start int32, from int, long bool, flush func()) {
	c.gapped = c.quote == 0 && c.left == 0
	to := len(line)
	if to > lastColumn && !long {
		to = lastColumn
	}
	for i := from; i < to; i++ {
		if line[i] == '!' && c.quote == 0 && c.left == 0 {
			return
		}
		if line[i] == ';' && c.quote == 0 && c.left == 0 {
			directive := c.directive
			flush()
			c.directive = directive
			continue
		}
		c.add(line[i], start+int32(i))
	}
	if to < len(line) && strings.TrimSpace(line[to:]) != "" && !strings.HasPrefix(strings.TrimSpace(line[to:]), "!") && !numbered(line[to:]) {
		s.warn(src, start+int32(to), "", "text after column %d is ignored", lastColumn)
	}
	if c.quote != 0 || c.left > 0 {
		for i := to; i < lastColumn; i++ {
			c.add(' ', start+int32(len(line))) // a constant that is continued has all columns of this line
		}
	}
}

// numbered reports whether a text is the sequence number of a card.
func numbered(text string) bool {
	return strings.Trim(strings.TrimSpace(text), "0123456789") == "" || len(strings.TrimSpace(text)) <= 8 && !strings.ContainsAny(text, "+-*/(),='")
}
