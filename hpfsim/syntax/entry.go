package syntax

const (
	firstEntry  = 100_000 // label of the first ENTRY of a unit; labels of a program are less
	mostEntries = 100     // of a unit, each of which has the statements of the whole unit
)

// entry reads ENTRY name(arguments) [RESULT(r)], after the keyword.
func (b *builder) entry() Stmt {
	p, u := b.parser, b.unit
	switch {
	case u.Kind != Subroutine && u.Kind != Function || b.within == inUnit:
		p.fail(0, "a subroutine or a function that is not internal", "ENTRY in %s", u.Name)
	case b.nested > 1:
		p.fail(0, "ENTRY outside of all blocks", "ENTRY within a block")
	}
	if b.entries == mostEntries {
		p.fail(0, itoa(mostEntries)+" or less", "%s has too many ENTRY statements", u.Name)
	}
	h := p.head()
	h.Lab = firstEntry + b.entries
	b.entries++
	n := p.name("the name of the entry")
	e := &Unit{Kind: u.Kind, Name: n.Text, Pos: n.Pos, End: u.End, Pure: u.Pure, Recursive: u.Recursive, applied: u.applied}
	if u.Kind == Function {
		e.Result = n.Text
	}
	if p.accept("(") && !p.accept(")") {
		e.Params, e.Returns = p.dummies()
	}
	if u.Kind == Function {
		p.result(e)
	}
	p.finish()
	return &Entry{h, e}
}
