package loops

import (
	"regexp"
	"strings"
)

// The expressions match statements in lower case without blanks, as a compiler reads fixed form.
var (
	counted   = regexp.MustCompile(`^(?:[a-z]\w*:)?do(\d*),?[a-z]\w*=[^,]+,`)
	while     = regexp.MustCompile(`^(?:[a-z]\w*:)?do(\d*),?(?:while\(|concurrent\()`)
	endless   = regexp.MustCompile(`^(?:[a-z]\w*:)?do(\d*)$`)
	forall    = regexp.MustCompile(`^(?:[a-z]\w*:)?forall\(`)
	endLoop   = regexp.MustCompile(`^end(?:do|forall)(?:[a-z]\w*)?$`)
	endUnit   = regexp.MustCompile(`^end$|^end(?:program|subroutine|function|module)`)
	numbered  = regexp.MustCompile(`^\d+`)
	fixedOnly = regexp.MustCompile(`^[cC*](?:$|[^a-zA-Z]|HPF[$])|^     [^ 0!]|^[ \d]{5} [ ]*[a-zA-Z]`)
)

// fixed reports whether a text is in fixed form. The first line that is not a comment decides.
func fixed(lines []string) bool {
	for _, s := range lines {
		t := strings.TrimSpace(s)
		switch {
		case t == "" || strings.HasPrefix(t, "!"):
		case fixedOnly.MatchString(s):
			return true
		default:
			return strings.HasPrefix(s, "\t")
		}
	}
	return false
}

// An opened loop ends with a statement with its label, or with END DO.
type opened struct {
	first int32
	label string
}

// fortran finds the loops of Fortran statements. A loop begins with the first line of its first statement and ends
// with the last line of its last one.
func fortran(lines []string, fixed bool) []Loop {
	var found []Loop
	var open []opened
	end := func(last int32) {
		found = append(found, Loop{First: open[len(open)-1].first, Last: last})
		open = open[:len(open)-1]
	}
	one := func(s string, first, last int32) {
		label := numbered.FindString(s)
		s = s[len(label):]
		for _, re := range []*regexp.Regexp{counted, while, endless} {
			if m := re.FindStringSubmatch(s); m != nil {
				open = append(open, opened{first, m[1]})
				return
			}
		}
		switch {
		case forall.MatchString(s):
			if closes := closing(s, strings.IndexByte(s, '(')); closes == len(s)-1 { // otherwise a statement follows in the same line
				open = append(open, opened{first: first})
			}
		case endLoop.MatchString(s):
			if len(open) > 0 {
				end(last)
			}
			return
		case endUnit.MatchString(s):
			for len(open) > 0 {
				end(last)
			}
		}
		for len(open) > 0 && label != "" && strings.TrimLeft(open[len(open)-1].label, "0") == strings.TrimLeft(label, "0") {
			end(last)
		}
	}
	statements(lines, fixed, one)
	for len(open) > 0 {
		end(int32(len(lines)))
	}
	return found
}

// closing returns the index of the parenthesis that closes the one at from, -1 for none.
func closing(s string, from int) int {
	depth := 0
	for i := from; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// statements calls one for each statement with its first and last line. The statement is in lower case, without
// blanks, comments and quoted text.
func statements(lines []string, fixed bool, one func(s string, first, last int32)) {
	var s strings.Builder
	first, last := int32(0), int32(0)
	done := func() {
		if s.Len() > 0 {
			for part := range strings.SplitSeq(s.String(), ";") {
				one(part, first, last)
			}
		}
		s.Reset()
	}
	more := false // the statement continues in the next line
	for i, line := range lines {
		number := int32(i + 1)
		switch {
		case fixed && (line == "" || strings.ContainsRune("cC*!dD#", rune(line[0]))):
			continue
		case fixed && len(line) > 5 && line[5] != ' ' && line[5] != '0' && strings.TrimSpace(line[:5]) == "":
			line, more = line[6:], true
		case fixed:
			more = false
		}
		text := plain(line)
		if text == "" {
			continue
		}
		if !more || s.Len() == 0 {
			done()
			first = number
		}
		last = number
		text = strings.TrimPrefix(text, "&")
		if more = !fixed && strings.HasSuffix(text, "&"); more {
			text = text[:len(text)-1]
		}
		s.WriteString(text)
	}
	done()
}

// plain returns a line in lower case without blanks, comment and quoted text.
func plain(line string) string {
	var b strings.Builder
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
				b.WriteByte(c)
			}
		case c == '!':
			return b.String()
		case c == '\'' || c == '"':
			quote = c
			b.WriteByte(c)
		case c == ' ' || c == '\t' || c == '\r':
		case 'A' <= c && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
