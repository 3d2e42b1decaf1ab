package syntax

// print reads PRINT fmt[, items].
func (p *parser) print(h Head) Stmt {
	w := &Write{Head: h}
	p.formatRef(&w.IO)
	if p.accept(",") {
		w.Items = p.items()
	}
	p.finish()
	return w
}

// formatRef reads *, a label, or a character expression.
func (p *parser) formatRef(io *IO) {
	switch {
	case p.peek(0) == '*':
		p.i++
		io.List = true
	case digit(p.peek(0)):
		io.FormatLabel = p.labelRef()
	default:
		from := p.i
		x := p.expr()
		s, ok := x.(*Str)
		if !ok {
			io.Dynamic = x
			return
		}
		io.Format = p.formatText(s.Value, p.posAt(from))
	}
}

// items reads a list of input or output.
func (p *parser) items() []Expr {
	out := []Expr{p.item()}
	for p.accept(",") {
		out = append(out, p.item())
	}
	return out
}

func (p *parser) write(h Head) Stmt {
	w := &Write{Head: h}
	p.controls("WRITE", &w.IO)
	p.accept(",")
	if !p.done() {
		w.Items = p.items()
	}
	p.finish()
	return w
}

// read reads READ (controls) items, and READ fmt[, items].
func (p *parser) read(h Head) Stmt {
	r := &Read{Head: h}
	if p.is("(") {
		p.controls("READ", &r.IO)
		p.accept(",")
		if !p.done() {
			r.Items = p.items()
		}
	} else {
		p.formatRef(&r.IO)
		if p.accept(",") {
			r.Items = p.items()
		}
	}
	p.finish()
	return r
}

// controls reads the controls in parentheses of READ and WRITE.
func (p *parser) controls(op string, io *IO) {
	io.Specs = append(io.Specs, p.specifiers(op, func(key string, n int) bool {
		switch {
		case key == "UNIT" || key == "" && n == 0:
			io.Unit = p.unitRef()
		case key == "FMT" || key == "" && n == 1:
			p.formatRef(io)
		case key == "NML":
			g := p.name("the name of a group of NAMELIST")
			io.Group = &g
		case key == "END":
			io.End = p.labelRef()
		case key == "ERR":
			io.Err = p.labelRef()
		case key == "EOR":
			io.Eor = p.labelRef()
		default:
			return false
		}
		return true
	})...)
}

// Unformatted reports whether values are transferred as they are in memory.
func (io *IO) Unformatted() bool {
	return !io.List && io.FormatLabel == 0 && io.Format == nil && io.Dynamic == nil && io.Group == nil
}

// format reads a FORMAT statement. It returns false for other statements.
func (p *parser) format(u *Unit) bool {
	if !p.is("FORMAT(") || p.assignment() {
		return false
	}
	p.i = len("FORMAT")
	if p.label == 0 {
		p.fail(0, "a label before it", "a FORMAT without a label")
	}
	f := &Format{Pos: p.posAt(0)}
	q := formatReader{text: p.text, i: p.i, fail: func(i int, want, msg string) { p.fail(i, want, "%s", msg) }}
	f.Items = q.group(0)
	p.i = q.i
	p.finish()
	u.Formats[p.label] = f
	return true
}

// formatText reads a format that is a character constant.
func (p *parser) formatText(text string, pos Pos) *Format {
	f, msg, want := ParseFormat(text)
	if msg != "" {
		p.report(pos, want, "%s in the format %q", msg, text)
		panic(failure{})
	}
	f.Pos = pos
	return f
}

// ParseFormat reads a format specification with its parentheses. For a wrong one it returns a message and a
// description of the expected text.
func ParseFormat(text string) (f *Format, msg, want string) {
	c := collector{}
	for i := range len(text) {
		c.add(text[i], int32(i))
	}
	f = &Format{}
	q := formatReader{text: c.text, fail: func(_ int, w, m string) {
		msg, want = m, w
		panic(failure{})
	}}
	defer func() {
		if r := recover(); r != nil {
			if _, mine := r.(failure); !mine {
				panic(r)
			}
			f = nil
		}
	}()
	f.Items = q.group(0)
	if q.i < len(q.text) {
		q.fail(q.i, "the end of the format", "text follows the last parenthesis")
	}
	return f, msg, want
}
