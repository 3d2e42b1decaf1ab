package syntax

func (p *parser) parameters(pos Pos) Spec {
	s := &Parameters{Pos: pos}
	p.expect("(", "after PARAMETER")
	p.commas(func() {
		s.Names = append(s.Names, p.name("the name of a constant"))
		p.expect("=", "after the name of a constant")
		s.Values = append(s.Values, p.expr())
	})
	p.expect(")", "in PARAMETER")
	p.finish()
	return s
}

func (p *parser) data(pos Pos) Spec {
	s := &Data{Pos: pos}
	for {
		var set DataSet
		p.commas(func() {
			if p.is("(") {
				set.Targets = append(set.Targets, p.item())
			} else {
				set.Targets = append(set.Targets, p.reference())
			}
		})
		p.expect("/", "after the variables of DATA")
		set.Values = p.dataValues()
		s.Sets = append(s.Sets, set)
		p.accept(",")
		if p.done() {
			return s
		}
	}
}

// dataValues reads values and the slash after them.
func (p *parser) dataValues() (values []DataValue) {
	p.commas(func() {
		values = append(values, p.dataValue())
	})
	p.expect("/", "in the values of DATA")
	return values
}

// dataValue reads a constant with its repeat count.
func (p *parser) dataValue() DataValue {
	v := p.dataConstant()
	if p.accept("*") {
		return DataValue{v, p.dataConstant()}
	}
	return DataValue{nil, v}
}

func (p *parser) dataConstant() Expr {
	pos := p.pos()
	switch {
	case p.accept("-"):
		return &Unary{pos, Sub, p.primary()}
	case p.accept("+"):
		return p.primary()
	}
	return p.primary()
}

// common reads the blocks of a COMMON statement.
func (p *parser) common(pos Pos) Spec {
	var blocks []Spec
	for first := true; first || !p.done(); first = false {
		s := &Common{Pos: pos}
		if p.accept("//") {
		} else if p.accept("/") {
			if !p.is("/") {
				s.Block = p.name("the name of a block of COMMON").Text
			}
			p.expect("/", "after the name of a block")
		}
		for {
			s.Entities = append(s.Entities, p.entity())
			if !p.accept(",") || p.is("/") {
				break
			}
		}
		blocks = append(blocks, s)
		if !p.is("/") {
			p.finish()
		}
	}
	return several(pos, blocks)
}

// several returns the parts of a statement as one.
func several(pos Pos, parts []Spec) Spec {
	if len(parts) == 1 {
		return parts[0]
	}
	return &compound{pos, parts}
}

// namelist reads the groups of a NAMELIST statement.
func (p *parser) namelist(pos Pos) Spec {
	var groups []Spec
	for p.accept("/") {
		s := &Namelist{Pos: pos, Group: p.name("the name of a group of NAMELIST")}
		p.expect("/", "after the name of a group")
		s.Vars = []Name{p.name("a variable")}
		for p.accept(",") && !p.is("/") {
			s.Vars = append(s.Vars, p.name("a variable"))
		}
		groups = append(groups, s)
	}
	if len(groups) == 0 {
		p.unexpected("/ and the name of a group", "after NAMELIST")
	}
	p.finish()
	return several(pos, groups)
}

// statementFunction reads F(X, Y) = expression. It returns nil and reads nothing if that is an assignment to an
// element of an array that the unit declares.
func (p *parser) statementFunction(arrays map[string]bool) Spec {
	if !p.assignment() {
		return nil
	}
	n := p.name("")
	if !p.is("(") || arrays[n.Text] {
		p.i = 0
		return nil
	}
	f := &StatementFunction{Name: n, head: p.head()}
	for _, a := range p.args() {
		v, ok := a.Value.(*Var)
		if !ok || a.Keyword != "" {
			p.i = 0
			return nil
		}
		f.Params = append(f.Params, v.Name)
	}
	p.expect("=", "in a statement function")
	f.Value = p.expr()
	p.finish()
	return f
}
