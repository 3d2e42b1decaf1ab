package syntax

// align reads ALIGN A(i, *), B(i, *) WITH T(i + 3), ALIGN (i) WITH T(i) :: A, B, and ALIGN WITH T :: A, after the
// keyword.
func (p *parser) align(pos Pos) *Align {
	a := &Align{Pos: pos}
	from := p.i
	if !p.word("WITH") || p.peek(0) == '=' || p.done() || !p.free && !p.gap[p.i] && p.withFollows() {
		p.i = from
		p.alignSource(a)
		for a.Arrays != nil && p.accept(",") {
			other := &Align{Pos: pos}
			p.alignSource(other)
			a.Others = append(a.Others, other)
		}
		if !p.accept("WITH") {
			p.unexpected("WITH", "in ALIGN before its target")
		}
	}
	if p.accept("*") { // the descriptive form of HPF: the argument has this mapping already
		p.accept(",")
	}
	a.Target = p.name("an array or a template")
	if p.is("(") {
		a.Targets = p.args()
	}
	for _, other := range a.Others {
		other.Target, other.Targets = a.Target, a.Targets
	}
	return a
}

// withFollows reports whether a separate WITH follows, so that the letters WITH here begin a name.
func (p *parser) withFollows() bool {
	for i := p.i; i+len("WITH") < len(p.text); i++ {
		if string(p.text[i:i+len("WITH")]) == "WITH" && p.gap[i] && p.gap[i+len("WITH")] {
			return true
		}
	}
	return false
}

// alignSource reads the name of an aligned array and its dimensions.
func (p *parser) alignSource(a *Align) {
	if letter(p.peek(0)) {
		a.Arrays = []Name{p.before("WITH", "an array")}
	}
	if !p.accept("(") {
		return
	}
	a.Source = []AlignDummy{}
	p.commas(func() {
		here := p.pos()
		switch {
		case p.accept("*"):
			a.Source = append(a.Source, Name{"*", here})
		case p.accept(":"):
			a.Source = append(a.Source, Name{":", here})
		default:
			a.Source = append(a.Source, p.name("a variable, * or :"))
		}
	})
	p.expect(")", "in the dimensions of an aligned array")
}

// before reads a name that a keyword may follow. In fixed form A WITH T could be the name AWITHT; blanks around WITH
// show that it is not.
func (p *parser) before(keyword, want string) Name {
	from := p.i
	n := p.name(want)
	for i := from + 1; !p.free && i+len(keyword) < p.i; i++ {
		if string(p.text[i:i+len(keyword)]) == keyword && p.gap[i] && p.gap[i+len(keyword)] {
			p.i = i
			return Name{string(p.text[from:i]), n.Pos}
		}
	}
	return n
}
