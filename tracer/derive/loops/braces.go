package loops

import "strings"

// braces finds the loops of languages with the braces of C. A loop begins with for, while, do or loop, and ends with
// its closing brace, or with the next semicolon if it has no braces.
func braces(lines []string) []Loop {
	var found []Loop
	type block struct{ loop int32 } // the first line of a loop, 0 for other blocks
	var open []block
	head, depth := int32(0), 0 // the line of a loop whose body has not begun, and its open parentheses
	inComment, quote := false, byte(0)
	for i, line := range lines {
		number := int32(i + 1)
		for k := 0; k < len(line); k++ {
			c := line[k]
			rest := line[k:]
			switch {
			case inComment:
				if strings.HasPrefix(rest, "*/") {
					inComment = false
					k++
				}
			case quote != 0:
				if c == '\\' && quote != '`' {
					k++
				} else if c == quote {
					quote = 0
				}
			case strings.HasPrefix(rest, "//"):
				k = len(line)
			case strings.HasPrefix(rest, "/*"):
				inComment = true
				k++
			case c == '"' || c == '`' || c == '\'' && closesSoon(rest):
				quote = c
			case word(line, k, "while") && strings.HasSuffix(strings.TrimSpace(line[:k]), "}"): // the end of a do loop
			case word(line, k, "for") || word(line, k, "while") || word(line, k, "do") || word(line, k, "loop"):
				if head == 0 {
					head, depth = number, 0
				}
			case c == '(' || c == '[':
				depth++
			case c == ')' || c == ']':
				depth--
			case c == '{' && (head == 0 || depth <= 0):
				open = append(open, block{head})
				head = 0
			case c == '}':
				if n := len(open); n > 0 {
					if open[n-1].loop > 0 {
						found = append(found, Loop{First: open[n-1].loop, Last: number})
					}
					open = open[:n-1]
				}
			case c == ';' && head > 0 && depth <= 0 && !clauses(line):
				found = append(found, Loop{First: head, Last: number})
				head = 0
			}
		}
		if quote != '`' {
			quote = 0
		}
	}
	for _, b := range open {
		if b.loop > 0 {
			found = append(found, Loop{First: b.loop, Last: int32(len(lines))})
		}
	}
	return found
}

// clauses reports whether the semicolons of a line separate the clauses of a loop without parentheses, as in Go.
func clauses(line string) bool {
	t := strings.TrimSpace(line)
	return strings.HasPrefix(t, "for ") && strings.HasSuffix(t, "{")
}

// closesSoon reports whether an apostrophe begins a character and not a lifetime, as in Rust.
func closesSoon(s string) bool {
	end := strings.IndexByte(s[1:], '\'')
	return end >= 0 && end <= 8
}

// word reports whether the word w begins at byte k of a line.
func word(line string, k int, w string) bool {
	letter := func(i int) bool {
		return i >= 0 && i < len(line) && (line[i] == '_' || line[i] >= '0' && line[i] <= '9' || line[i]|32 >= 'a' && line[i]|32 <= 'z')
	}
	return strings.HasPrefix(line[k:], w) && !letter(k-1) && !letter(k+len(w))
}

// indented finds the loops of Python: a line that begins with for or while, and the lines below it with more
// indentation.
func indented(lines []string) []Loop {
	var found []Loop
	type head struct {
		first, last int32
		indent      int
	}
	var open []head
	for i, line := range lines {
		text := strings.TrimLeft(line, " \t")
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			continue
		}
		indent := len(line) - len(text)
		for len(open) > 0 && indent <= open[len(open)-1].indent {
			found = append(found, Loop{First: open[len(open)-1].first, Last: open[len(open)-1].last})
			open = open[:len(open)-1]
		}
		for k := range open {
			open[k].last = int32(i + 1)
		}
		if word(text, 0, "for") || word(text, 0, "while") || strings.HasPrefix(text, "async for ") {
			open = append(open, head{int32(i + 1), int32(i + 1), indent})
		}
	}
	for _, h := range open {
		found = append(found, Loop{First: h.first, Last: h.last})
	}
	return found
}
