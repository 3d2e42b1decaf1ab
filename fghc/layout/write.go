package layout

import (
	"slices"
	"strings"
	"unicode/utf8"

	"whorl/fghc/syntax"
)

// A writer writes lines.
type writer struct {
	lines   []line
	now     strings.Builder // the current line
	column  int
	note    string // the comment at the end of the current line
	started bool   // the current line is not empty
}

// A line is a line and the comment at its end.
type line struct{ code, note string }

const (
	bodyIndent  = 4
	guardIndent = 8
)

// newline ends the current line and starts another.
func (w *writer) newline(indent int) {
	if w.started || w.note != "" {
		w.lines = append(w.lines, line{w.now.String(), w.note})
	}
	w.now.Reset()
	w.note, w.started = "", false
	w.column = indent
	w.now.WriteString(strings.Repeat(" ", indent))
}

// put writes a token, on a new line if comments precede it.
func (w *writer) put(t token, indent int, space bool) {
	w.commentLines(t.before, indent)
	switch {
	case w.note != "":
		w.newline(indent)
	case (space || t.lead != "" && !w.opened()) && w.started:
		w.write(" ")
	}
	w.write(t.lead)
	if t.lead != "" && t.Kind != syntax.Comma && t.Kind != syntax.Stop {
		w.write(" ")
	}
	w.write(t.text)
	w.note = t.after
}

// opened reports whether the line ends with an opening bracket.
func (w *writer) opened() bool {
	line := w.now.String()
	return line != "" && strings.IndexByte("([{", line[len(line)-1]) >= 0
}

// commentLines writes comments on their own lines.
func (w *writer) commentLines(list []comment, indent int) {
	for _, c := range list {
		w.newline(indent)
		w.write(c.text)
	}
	if len(list) > 0 {
		w.newline(indent)
	}
}

func (w *writer) write(text string) {
	w.now.WriteString(text)
	w.started = w.started || text != ""
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		w.column, text = 0, text[i+1:]
	}
	w.column += utf8.RuneCountInString(text)
}

// item writes a clause, a directive or a separator, with the comments before it.
func (w *writer) item(tokens []token) {
	first := &tokens[0]
	for _, c := range first.before {
		w.newline(0)
		w.blank(c.blank)
		w.write(c.text)
	}
	w.newline(0)
	w.blank(first.lines > 1)
	first.before = nil
	if first.Kind == syntax.Bad { // the final token
		if first.lead != "" {
			w.write(first.lead)
		}
		return
	}
	b := builder{tokens: tokens}
	if first.Kind == syntax.Sign && (first.text == ":-" || first.text == "?-") {
		w.put(*first, 0, false)
		b.next = 1
		for b.next < len(tokens) && tokens[b.next].Kind != syntax.Stop {
			s := b.sequence(tight)
			w.sequence(s, bodyIndent, 1, true)
		}
		w.put(tokens[len(tokens)-1], bodyIndent, false)
		return
	}
	w.clause(b.clause(), tokens[len(tokens)-1])
}

// blank writes a blank line if one is wanted.
func (w *writer) blank(wanted bool) {
	if wanted && len(w.lines) > 0 && w.lines[len(w.lines)-1] != (line{}) {
		w.lines = append(w.lines, line{})
	}
}

// A clause consists of the parts of a clause. The last sequences of guard and body have no end.
type clause struct {
	head        sequence
	arrow, bar  *token
	guard, body []sequence
	width       int  // on one line
	several     bool // the author wrote several lines
}

// clause builds the parts of a clause.
func (b *builder) clause() clause {
	var c clause
	i, depth := -1, 0
	for k, t := range b.tokens {
		if depth == 0 {
			c.several = c.several || k > 0 && t.lines > 0
			if i < 0 && t.Kind == syntax.Sign && t.text == ":-" && t.Role == syntax.Plain {
				i = k
			}
		}
		switch {
		case opens(t):
			depth++
		case t.Kind == syntax.Bracket:
			depth--
		}
	}
	head := builder{tokens: b.tokens[:len(b.tokens)-1]}
	if i > 0 {
		head.tokens = b.tokens[:i]
	}
	c.head = head.sequence(goals)
	c.width = c.head.width + closing(b.tokens[len(b.tokens)-1])
	if i < 0 {
		return c
	}
	c.arrow = &b.tokens[i]
	rest := builder{tokens: b.tokens[i+1 : len(b.tokens)-1]}
	for rest.next < len(rest.tokens) {
		s := rest.sequence(goals)
		c.width += s.width + 1
		c.body = append(c.body, s)
		if s.end != nil && s.end.Kind == syntax.Bar {
			c.bar, c.guard, c.body = s.end, c.body, nil
			c.guard[len(c.guard)-1].end = nil
			c.width++
		}
	}
	c.width += 1 + size(*c.arrow)
	for _, s := range slices.Concat([]sequence{c.head}, c.guard, c.body) {
		c.several = c.several || s.rigid
	}
	return c
}

func (w *writer) clause(c clause, stop token) {
	w.sequence(c.head, bodyIndent, 4, false)
	if c.arrow == nil {
		w.put(stop, bodyIndent, false)
		return
	}
	w.put(*c.arrow, bodyIndent, true)
	several := c.several || c.width > Width
	if c.bar != nil {
		width := 2
		for _, s := range c.guard {
			width += s.width + 1
		}
		own := several && w.column+width > Width // one line for each goal
		for _, s := range c.guard {
			if own {
				w.newline(guardIndent)
			}
			w.goal(s, guardIndent, true)
		}
		w.put(*c.bar, guardIndent, true)
	}
	for _, s := range c.body {
		if several {
			w.newline(bodyIndent)
		}
		w.goal(s, bodyIndent, true)
	}
	w.put(stop, bodyIndent, false)
}

// goal writes a goal and the comma after it.
func (w *writer) goal(s sequence, indent int, space bool) {
	if len(s.nodes) > 0 {
		w.commentLines(s.nodes[0].before, indent)
		s.nodes = slices.Clone(s.nodes)
		s.nodes[0].before = nil
	}
	if len(s.nodes) > 0 && s.nodes[0].group != nil && s.nodes[0].choice && (s.rigid || w.column+s.width > Width) {
		w.choice(s.nodes[0], space)
		s.nodes = s.nodes[1:]
		w.sequence(s, indent+bodyIndent, 1, false)
		return
	}
	w.sequence(s, indent+bodyIndent, 1, space)
}

// sequence writes nodes and the separator after them. At least trailing more characters follow on the line.
func (w *writer) sequence(s sequence, indent, trailing int, space bool) {
	for i, n := range s.nodes {
		sp := n.space || i == 0 && space
		if i > 0 && sp && s.nodes[i-1].Role == syntax.Infix && w.column+1+operand(s.nodes[i:])+trailing > Width && operand(s.nodes[i:]) <= Width-indent-trailing {
			w.newline(indent)
		}
		w.node(n, indent, trailing, sp)
	}
	if s.end != nil {
		w.put(*s.end, indent, false)
	}
}

// operand returns the width of the nodes up to the next operator.
func operand(nodes []node) int {
	width := 0
	for i, n := range nodes {
		if i > 0 && n.Role == syntax.Infix {
			break
		}
		width += n.width
	}
	return width
}

func (w *writer) node(n node, indent, trailing int, space bool) {
	w.put(n.token, indent, space)
	if n.group == nil {
		return
	}
	if n.choice {
		w.sequence(n.items[0], w.column+1, trailing+2, true)
		w.put(n.close, indent, true)
		return
	}
	align := w.column
	if align > Width/2+10 {
		align = indent
	}
	broken := slices.ContainsFunc(n.items, func(s sequence) bool { return len(s.nodes) > 0 && s.nodes[0].lines > 0 })
	for i, s := range n.items {
		sp := i > 0 && commaSpace(n.level, *n.items[i-1].end)
		if i > 0 && w.started {
			fits := w.column+1+s.width+trailing <= Width
			if len(s.nodes) > 0 && s.nodes[0].lines > 0 || !fits && (!broken || s.width+align <= Width) {
				w.newline(align)
			}
		}
		w.sequence(s, align, trailing+1, sp)
	}
	w.put(n.close, align, false)
}

// choice writes the cases of a goal, each on its own line.
func (w *writer) choice(n node, space bool) {
	w.put(n.token, w.column, space)
	indent := w.column - 1
	nodes := n.items[0].nodes
	for len(nodes) > 0 {
		var one []node
		end := slices.IndexFunc(nodes, func(n node) bool { return n.Role == syntax.Infix && n.text == ";" })
		if end < 0 {
			one, nodes = nodes, nil
			w.branch(one, indent)
			break
		}
		one = nodes[:end]
		w.branch(one, indent)
		w.newline(indent)
		w.put(nodes[end].token, indent, false)
		nodes = nodes[end+1:]
	}
	w.newline(indent)
	w.put(n.close, indent, false)
}

// branch writes a case.
func (w *writer) branch(nodes []node, indent int) {
	arrow := slices.IndexFunc(nodes, func(n node) bool { return n.Role == syntax.Infix && n.text == "->" })
	if arrow < 0 {
		w.sequence(sequence{nodes: nodes}, indent+guardIndent, 0, true)
		return
	}
	w.sequence(sequence{nodes: nodes[:arrow]}, indent+guardIndent, 3, true)
	w.put(nodes[arrow].token, indent+guardIndent, true)
	parts := split(nodes[arrow+1:])
	width, several := 0, false
	for _, s := range parts {
		width += s.width + 1
		several = several || s.rigid || len(s.nodes) > 0 && s.nodes[0].lines > 0
	}
	several = several || w.column+width > Width
	for _, s := range parts {
		if several {
			w.newline(indent + bodyIndent)
		}
		w.goal(s, indent+bodyIndent, true)
	}
}

// split splits nodes into goals at their commas.
func split(nodes []node) []sequence {
	var out []sequence
	var s sequence
	for _, n := range nodes {
		if n.Kind == syntax.Comma && n.Role == syntax.Infix {
			end := n.token
			s.end = &end
			s.width += n.width
			s.rigid = s.rigid || n.rigid
			out = append(out, s)
			s = sequence{}
			continue
		}
		if n.space && len(s.nodes) > 0 {
			s.width++
		}
		s.width += n.width
		s.rigid = s.rigid || n.rigid
		s.nodes = append(s.nodes, n)
	}
	return append(out, s)
}

// text returns all lines. Comments at the ends of adjacent lines are aligned.
func (w *writer) text() string {
	w.newline(0)
	var b strings.Builder
	for i := 0; i < len(w.lines); {
		j, column := i, 0
		for j < len(w.lines) && w.lines[j].note != "" {
			last := w.lines[j].code[strings.LastIndexByte(w.lines[j].code, '\n')+1:]
			column = max(column, utf8.RuneCountInString(last)+2)
			j++
		}
		if j == i {
			b.WriteString(w.lines[i].code)
			b.WriteByte('\n')
			i++
			continue
		}
		for ; i < j; i++ {
			l := w.lines[i]
			last := l.code[strings.LastIndexByte(l.code, '\n')+1:]
			b.WriteString(l.code + strings.Repeat(" ", column-utf8.RuneCountInString(last)) + l.note + "\n")
		}
	}
	return b.String()
}
