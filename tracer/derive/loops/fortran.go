package loops

import (
	"regexp"
	"strings"
)

// In the text that is matched blanks are gone and letters are small, as a compiler of fixed form reads it.
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

// fixed says whether a text that may be in either form is in fixed form: its first lines that can be told leave the first columns to
// comments and labels.
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

// An opened loop waits for its end: a statement with its label, or an END DO.
type opened struct {
	first int32
	label string
}

// fortran finds loops by statements. A statement of several lines stands where it begins, and a loop ends with the last line of its end.
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
			if closes := closing(s, strings.IndexByte(s, '(')); closes == len(s)-1 { // else it is one statement
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

// closing is the index of the parenthesis that closes the one at from, -1 for none.
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

// statements calls one with each statement, without blanks, comments and what stands in quotes, in small letters, and its lines.
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
	more := false // the free form goes on
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

// plain is a line without blanks, its comment and the letters between quotes.
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
