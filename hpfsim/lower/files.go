package lower

import (
	"strings"

	"whorl/hpfsim/syntax"
)

// A specKind is the type of a specifier, and whether the statement defines it.
type specKind struct {
	base syntax.BaseType
	out  bool
}

// specKindOf returns the kind of a specifier of a statement.
func specKindOf(op, key string) specKind {
	k := specKind{base: syntax.CharacterType}
	switch key {
	case "IOSTAT", "SIZE", "NEWUNIT", "IOLENGTH", "NUMBER", "NEXTREC":
		k = specKind{syntax.IntegerType, true}
	case "IOMSG":
		k.out = true
	case "REC":
		k.base = syntax.IntegerType
	case "RECL", "POS":
		k = specKind{syntax.IntegerType, op == "INQUIRE"}
	case "EXIST", "OPENED", "NAMED":
		k = specKind{syntax.LogicalType, true}
	default:
		k.out = op == "INQUIRE" && key != "FILE"
	}
	return k
}

// specifiers resolves the specifiers of a statement.
func (l *lowerer) specifiers(op string, list []syntax.Specifier) []Specifier {
	var out []Specifier
	for _, s := range list {
		k := specKindOf(op, s.Text)
		before := len(l.errs)
		x := l.scalar(s.Value, k.base, s.Text+"=")
		if k.out && len(l.errs) == before && !definable(x) {
			l.fail(s.Value.Position(), "a variable", "%s= is not a variable", s.Text)
		}
		out = append(out, Specifier{s.Text, x, k.out})
	}
	return out
}

// expressions returns the unit, the format and the specifiers.
func (c *Controls) Expressions() []Expr {
	out := []Expr{c.Unit, c.Dynamic}
	for _, s := range c.Specs {
		out = append(out, s.Value)
	}
	return out
}

// controls resolves the controls of PRINT, WRITE or READ.
func (l *lowerer) controls(s *syntax.IO, op string, pos syntax.Pos, labels map[int]bool) *Controls {
	c := &Controls{IO: s}
	if s.Unit != nil {
		c.Unit = l.expr(s.Unit)
		if x := c.Unit; x != nil && x.Type().Base != syntax.CharacterType && (x.Type().Base != syntax.IntegerType || x.Rank() > 0) {
			l.fail(s.Unit.Position(), "an integer, or characters", "the unit is %s", described(x))
		}
	}
	switch name, ok := s.Dynamic.(*syntax.Var); {
	case s.Group != nil:
		c.Names = l.group(*s.Group)
	case ok && l.isGroup(name.Name):
		c.Names = l.group(name.Name)
	case s.Dynamic != nil:
		c.Dynamic = l.scalar(s.Dynamic, syntax.CharacterType, "the format")
	}
	if c.Names != nil && len(s.Items) > 0 {
		l.fail(s.Items[0].Position(), "nothing", "a statement with the group %s of NAMELIST lists other variables", c.Names.Name)
	}
	if s.FormatLabel != 0 {
		if s.Format = l.unit.Formats[s.FormatLabel]; s.Format == nil {
			l.fail(pos, "a FORMAT with that label", "there is no FORMAT %d", s.FormatLabel)
		}
	}
	c.Specs = l.specifiers(op, s.Specs)
	if internal := c.Unit != nil && c.Unit.Type().Base == syntax.CharacterType; internal && s.Unformatted() {
		l.fail(pos, "a format", "a text is read and written with a format only")
	} else if internal && op == "WRITE" && !definable(c.Unit) {
		l.fail(s.Unit.Position(), "a variable", "the text that is written is not a variable")
	}
	for _, n := range []int{s.End, s.Err, s.Eor} {
		l.target(n, pos, labels)
	}
	return c
}

// namelist enters a group of NAMELIST. A later statement adds variables to a group of the same name.
func (l *lowerer) namelist(s *syntax.Namelist) {
	g := l.unit.names[s.Group.Text]
	switch {
	case g == nil:
		g = l.add(s.Group)
		g.Class = GroupName
	case g.Class != GroupName:
		l.fail(s.Group.Pos, "another name", "%s is the name of something else", s.Group.Text)
		return
	}
	g.group = append(g.group, s.Vars...)
}

// isGroup reports whether a name is that of a group of NAMELIST.
func (l *lowerer) isGroup(n syntax.Name) bool {
	s := l.lookup(n)
	return s != nil && s.Class == GroupName
}

// group resolves the name of a group. Its variables are those of the unit that declares it.
func (l *lowerer) group(n syntax.Name) *Group {
	s := l.lookup(n)
	if s == nil || s.Class != GroupName {
		l.fail(n.Pos, "the name of a NAMELIST", "there is no NAMELIST %s", n.Text)
		return nil
	}
	here := l.unit
	l.unit = s.Unit
	defer func() { l.unit = here }()
	g := &Group{Name: strings.ToLower(s.Name)}
	for _, v := range s.group {
		x, ok := l.expr(&syntax.Var{Name: v}).(*Ref)
		if !ok || x.Sym.Class != Variable {
			l.fail(v.Pos, "a variable", "%s in NAMELIST is not a variable", v.Text)
			continue
		}
		g.Vars = append(g.Vars, x)
	}
	return g
}

// fileStmt resolves OPEN, CLOSE, INQUIRE, REWIND, BACKSPACE, ENDFILE and FLUSH.
func (l *lowerer) fileStmt(s *syntax.FileStmt, head Stat, labels map[int]bool) Stmt {
	out := &FileStmt{Stat: head, Op: s.Op, Specs: l.specifiers(s.Op, s.Specs), Items: l.items(s.Items), Err: l.target(s.Err, s.Pos, labels)}
	if s.Unit != nil {
		out.Unit = l.scalar(s.Unit, syntax.IntegerType, "the unit")
	}
	has := func(key string) bool { return Specified(out.Specs, key) != nil }
	ways := 0
	for _, given := range []bool{s.Unit != nil, has("NEWUNIT"), has("FILE") && s.Op == "INQUIRE", has("IOLENGTH")} {
		if given {
			ways++
		}
	}
	want := map[string]string{"OPEN": "UNIT= or NEWUNIT=", "INQUIRE": "UNIT=, FILE= or IOLENGTH="}[s.Op]
	if want == "" {
		want = "a unit"
	}
	if ways != 1 && (s.Op != "FLUSH" || ways > 0) {
		l.fail(s.Pos, want, "%s has %d of them", s.Op, ways)
	}
	if len(s.Items) > 0 && !has("IOLENGTH") {
		l.fail(s.Items[0].Position(), "IOLENGTH=", "INQUIRE lists variables")
	}
	return out
}
