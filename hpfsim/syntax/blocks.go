package syntax

// ends reads the statement that ends a block: its keyword, and the name of the construct if there is one. If another
// block ends first it reports that and returns false.
func (b *builder) ends(is, name string, h Head) (Pos, bool) {
	p := b.parser
	if !p.advance() {
		p.report(h.Pos, "", "%s is missing for the construct that begins here", spaced(is))
		return h.Pos, false
	}
	pos := p.posAt(0)
	if end := p.ending(); end != is {
		p.report(pos, spaced(is), "%s cannot end the construct that begins in line %d", spaced(end), h.Pos.Line)
		p.back()
		return pos, false
	}
	if b.labeled = nil; p.label != 0 {
		b.labeled = &Continue{p.head()}
	}
	p.try(func() {
		p.word(spaced(is))
		if !p.done() {
			if n := p.name("the name of the construct"); n.Text != name {
				p.report(n.Pos, "", "%s is not the name of the construct that begins in line %d", n.Text, h.Pos.Line)
			}
		}
		p.finish()
	})
	return pos, true
}

func (b *builder) ifStmt() Stmt {
	p := b.parser
	h := p.head()
	pos := p.posAt(0)
	p.expect("(", "after IF")
	cond := p.expr()
	p.expect(")", "after the condition of an IF")
	if digit(p.peek(0)) {
		a := &ArithmeticIf{Head: h, Value: cond}
		a.Negative = p.labelRef()
		p.expect(",", "in the labels of an arithmetic IF")
		a.Zero = p.labelRef()
		p.expect(",", "in the labels of an arithmetic IF")
		a.Positive = p.labelRef()
		p.finish()
		return a
	}
	s := &If{Head: h, Arms: []IfArm{{Pos: pos, Cond: cond}}}
	if from := p.i; !p.word("THEN") || !p.done() {
		p.i = from
		body := p.inner("IF")
		s.Arms[0].Body = []Stmt{body}
		s.End = h.To
		return s
	}
	for {
		s.Arms[len(s.Arms)-1].Body = b.block(0)
		if !p.advance() {
			p.report(h.Pos, "", "END IF is missing for the construct that begins here")
			return s
		}
		arm := IfArm{Pos: p.posAt(0)}
		last := s.Arms[len(s.Arms)-1].Cond == nil
		switch end := p.ending(); end {
		case "ELSEIF":
			if last {
				p.report(arm.Pos, "END IF", "ELSE IF after ELSE")
			}
			p.try(func() {
				p.word("ELSE IF")
				p.expect("(", "after ELSE IF")
				arm.Cond = p.expr()
				p.expect(")", "after the condition of an ELSE IF")
				if !p.word("THEN") {
					p.unexpected("THEN", "after the condition of an ELSE IF")
				}
				p.optionalName()
			})
			if arm.Cond == nil {
				arm.Cond = &Logical{arm.Pos, false}
			}
			s.Arms = append(s.Arms, arm)
		case "ELSE":
			if last {
				p.report(arm.Pos, "END IF", "a second ELSE")
			}
			s.Arms = append(s.Arms, arm)
		default:
			p.back()
			s.End, _ = b.ends("ENDIF", p.nameOfEnd(), h)
			return s
		}
	}
}

// nameOfEnd returns the name after END IF in the next statement. It accepts any name.
func (p *parser) nameOfEnd() string {
	if p.next < len(p.stmts) {
		if t := p.stmts[p.next].text; len(t) > 5 {
			return string(t[5:])
		}
	}
	return ""
}

// inner reads the statement that follows IF, WHERE or FORALL in the same line. It cuts the part before it off the text.
func (p *parser) inner(of string) Stmt {
	if p.done() {
		p.fail(p.i, "a statement", "nothing follows %s", of)
	}
	whole := p.stmt
	rest := *whole
	rest.text, rest.offsets, rest.gap, rest.label = rest.text[p.i:], rest.offsets[p.i:], rest.gap[p.i:], 0
	p.stmt, p.i = &rest, 0
	defer func() { p.stmt, p.i = whole, len(whole.text) }()
	s := p.simple()
	if s == nil {
		h := p.head()
		switch {
		case of == "IF" && p.word("WHERE"):
			return p.whereStmt(h)
		case p.word("FORALL"):
			return p.forallStmt(h)
		}
		p.outsideStmt()
		p.i = 0
		p.unexpected("a statement", "instead of the statement of "+of)
	}
	return s
}

func (b *builder) do(name string) Stmt {
	p := b.parser
	d := &Do{Head: p.head(), Name: name}
	label := 0
	if digit(p.peek(0)) {
		label = p.labelRef()
	}
	p.accept(",")
	switch {
	case p.done():
	case p.is("CONCURRENT(") && label == 0:
		p.word("CONCURRENT")
		return b.concurrent(d)
	case p.is("WHILE(") && !p.controlAhead():
		p.word("WHILE")
		p.expect("(", "after DO WHILE")
		d.While = p.expr()
		p.expect(")", "after the condition of a DO WHILE")
		p.finish()
	default:
		c := p.control()
		d.Count = &c
		p.finish()
	}
	b.ended = 0
	if label != 0 {
		d.Body = b.block(label)
		if b.ended != label {
			p.report(d.Pos, "", "the label %d, which ends this loop, is missing", label)
		}
		d.End = p.posAt(0)
		if p.stmt.label == label || len(d.Body) == 0 {
			return d
		}
		d.End = d.Body[len(d.Body)-1].Position()
		return d
	}
	d.Body = b.block(0)
	d.End, _ = b.ends("ENDDO", name, d.Head)
	if b.labeled != nil {
		d.Body, b.labeled = append(d.Body, b.labeled), nil // a GO TO to its label ends the iteration
	}
	return d
}

func (b *builder) selectCase(name string) Stmt {
	p := b.parser
	s := &Select{Head: p.head(), Name: name}
	p.expect("(", "after SELECT CASE")
	s.Value = p.expr()
	p.expect(")", "after the value of SELECT CASE")
	p.finish()
	if rest := b.block(0); len(rest) > 0 {
		p.report(rest[0].Position(), "CASE", "a statement precedes the first CASE")
	}
	for p.advance() {
		if p.ending() != "CASE" {
			p.back()
			break
		}
		c := Case{Pos: p.posAt(0)}
		p.try(func() {
			p.word("CASE")
			if p.word("DEFAULT") {
				c.Default = true
			} else {
				c.Ranges = p.caseRanges()
			}
			p.optionalName()
		})
		c.Body = b.block(0)
		s.Cases = append(s.Cases, c)
	}
	s.End, _ = b.ends("ENDSELECT", name, s.Head)
	return s
}

func (p *parser) caseRanges() []CaseRange {
	p.expect("(", "after CASE")
	var out []CaseRange
	for {
		var r CaseRange
		if !p.is(":") {
			r.Lo = p.expr()
		}
		if p.accept(":") {
			if !p.is(",") && !p.is(")") {
				r.Hi = p.expr()
			}
		} else {
			r.Hi, r.Single = r.Lo, true
		}
		out = append(out, r)
		if !p.accept(",") {
			p.expect(")", "in the values of a CASE")
			return out
		}
	}
}

func (b *builder) where() Stmt {
	p := b.parser
	if end := p.closing(p.i); p.is("(") && end >= 0 && end < len(p.text) {
		return p.whereStmt(p.head())
	}
	w := &Where{Head: p.head()}
	pos := p.posAt(0)
	p.expect("(", "after WHERE")
	mask := p.expr()
	p.expect(")", "after the mask of a WHERE")
	w.Arms = []WhereArm{{Pos: pos, Mask: mask}}
	for {
		arm := &w.Arms[len(w.Arms)-1]
		arm.Body = b.block(0)
		p.assignments(arm.Body, "WHERE")
		if !p.advance() {
			p.report(w.Pos, "", "END WHERE is missing for the construct that begins here")
			return w
		}
		if p.ending() != "ELSEWHERE" {
			p.back()
			w.End, _ = b.ends("ENDWHERE", p.nameOfEnd(), w.Head)
			return w
		}
		next := WhereArm{Pos: p.posAt(0)}
		p.try(func() {
			p.word("ELSE WHERE")
			if p.accept("(") {
				next.Mask = p.expr()
				p.expect(")", "after the mask of an ELSEWHERE")
			}
			p.finish()
		})
		w.Arms = append(w.Arms, next)
	}
}

// whereStmt reads WHERE (mask) a = b, after the keyword.
func (p *parser) whereStmt(h Head) Stmt {
	pos := p.pos()
	p.expect("(", "after WHERE")
	mask := p.expr()
	p.expect(")", "after the mask of a WHERE")
	body := []Stmt{p.inner("WHERE")}
	p.assignments(body, "WHERE")
	return &Where{Head: h, Arms: []WhereArm{{Pos: pos, Mask: mask, Body: body}}, End: h.To}
}

// assignments reports statements that are not allowed in a WHERE or FORALL.
func (p *parser) assignments(body []Stmt, of string) {
	for _, s := range body {
		switch s.(type) {
		case *Assign, *Where, *Continue:
			continue
		case *Forall:
			if of == "FORALL" {
				continue
			}
		}
		p.report(s.Position(), "assignments", "only assignments are allowed in %s", of)
	}
}

func (b *builder) forall() Stmt {
	p := b.parser
	if end := p.closing(p.i); p.is("(") && end >= 0 && end < len(p.text) {
		return p.forallStmt(p.head())
	}
	f := &Forall{Head: p.head()}
	p.forallHead(f)
	p.finish()
	f.Body = b.block(0)
	p.assignments(f.Body, "FORALL")
	f.End, _ = b.ends("ENDFORALL", p.nameOfEnd(), f.Head)
	return f
}

func (p *parser) forallStmt(h Head) Stmt {
	f := &Forall{Head: h, End: h.To}
	p.forallHead(f)
	f.Body = []Stmt{p.inner("FORALL")}
	p.assignments(f.Body, "FORALL")
	return f
}

// forallHead reads (i = lo : hi [: step], ... [, mask]).
func (p *parser) forallHead(f *Forall) {
	p.expect("(", "after FORALL")
	p.forallIndices(f)
}

// forallIndices reads the indices and the mask after the parenthesis of a FORALL or a DO CONCURRENT.
func (p *parser) forallIndices(f *Forall) {
	for {
		if !p.controlAhead() {
			if len(f.Indices) == 0 {
				p.unexpected("an index, as in i = 1 : n", "instead of the indices")
			}
			f.Mask = p.expr()
			break
		}
		c := Control{Var: p.name("an index")}
		p.expect("=", "after an index")
		c.Lo = p.expr()
		p.expect(":", "in the bounds of an index")
		c.Hi = p.expr()
		if p.accept(":") {
			c.Step = p.expr()
		}
		f.Indices = append(f.Indices, c)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "after the indices")
}
