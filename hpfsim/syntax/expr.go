package syntax

import (
	"math"
	"strconv"
	"strings"
)

// enter counts the nesting of expressions. The function that it returns counts down again.
func (p *parser) enter() func() {
	if p.depth++; p.depth > maxDepth {
		p.depth = 0
		p.fail(p.i, "", "an expression nests more than %d deep", maxDepth)
	}
	return func() { p.depth-- }
}

// operators lists the binary operators by precedence, lowest first. Signs and .NOT. are read between the levels.
var levels = [][]struct {
	text string
	op   Op
}{
	{{".EQV.", Eqv}, {".NEQV.", Neqv}},
	{{".OR.", Or}},
	{{".AND.", And}},
	{}, // .NOT.
	{
		{"==", EQ},
		{"/=", NE},
		{"<=", LE},
		{">=", GE},
		{"<", LT},
		{">", GT},
		{".EQ.", EQ},
		{".NE.", NE},
		{".LT.", LT},
		{".LE.", LE},
		{".GT.", GT},
		{".GE.", GE},
	},
	{{"//", Concat}},
	{{"+", Add}, {"-", Sub}}, // and signs
	{{"*", Mul}, {"/", Div}},
}

const (
	levelNot  = 3
	levelSign = 6
)

func (p *parser) expr() Expr {
	defer p.enter()()
	x := p.level(0)
	for n := 0; ; n++ {
		pos, from := p.pos(), p.i
		op := p.definedOperator()
		if op == "" {
			return x
		}
		if n == maxDepth {
			p.fail(from, "", "an expression has more than %d operators of the program", maxDepth)
		}
		x = &Defined{pos, op, x, p.level(0)}
	}
}

func (p *parser) level(l int) Expr {
	if l == len(levels) {
		return p.power()
	}
	if l == levelNot {
		if pos := p.pos(); p.accept(".NOT.") {
			defer p.enter()()
			return &Unary{pos, Not, p.level(l)}
		}
		return p.level(l + 1)
	}
	var x Expr
	if pos := p.pos(); l == levelSign && (p.peek(0) == '+' || p.peek(0) == '-') {
		op := Add
		if p.text[p.i] == '-' {
			op = Sub
		}
		p.i++
		x = &Unary{pos, op, p.level(l + 1)}
	} else {
		x = p.level(l + 1)
	}
	for {
		pos := p.pos()
		op, ok := p.operator(l)
		if !ok {
			return x
		}
		x = &Binary{pos, op, x, p.level(l + 1)}
		if l == 4 {
			return x // comparisons do not chain
		}
	}
}

// operator reads an operator of a precedence level.
func (p *parser) operator(l int) (Op, bool) {
	for _, o := range levels[l] {
		if !p.is(o.text) {
			continue
		}
		switch next := p.peek(1); {
		case o.text == "*" && next == '*', o.text == "/" && (next == '/' || next == '=' || next == ')'):
			continue // **, //, /=, and the end of a constructor
		case o.text == "//" && p.peek(2) == ')':
			continue
		}
		p.i += len(o.text)
		return o.op, true
	}
	return 0, false
}

func (p *parser) power() Expr {
	pos := p.pos()
	var x Expr
	if op := p.definedOperator(); op != "" {
		x = &Defined{pos, op, nil, p.primary()}
	} else {
		x = p.primary()
	}
	pos = p.pos()
	if p.accept("**") {
		defer p.enter()()
		if sign := p.pos(); p.accept("-") {
			return &Binary{pos, Pow, x, &Unary{sign, Sub, p.power()}}
		}
		p.accept("+")
		return &Binary{pos, Pow, x, p.power()}
	}
	return x
}

func (p *parser) primary() Expr {
	pos := p.pos()
	switch c := p.peek(0); {
	case digit(c) || c == '.' && digit(p.peek(1)):
		return p.numeral()
	case radixOf(c) > 0 && (p.peek(1) == '\'' || p.peek(1) == '"'):
		p.i++
		return p.boz(pos, p.quoted(), c)
	case letter(c):
		return p.reference()
	case c == '\'' || c == '"':
		return p.characters(pos)
	case p.accept(".TRUE."):
		return &Logical{pos, true}
	case p.accept(".FALSE."):
		return &Logical{pos, false}
	case p.is("(/") && !p.is("(/=") && !p.is("(//"):
		p.i += 2
		return p.constructor(pos, "/)")
	case p.accept("["):
		return p.constructor(pos, "]")
	case p.accept("("):
		x := p.expr()
		if p.accept(",") {
			y := p.expr()
			p.expect(")", "in a complex constant")
			return &Complex{pos, x, y}
		}
		p.expect(")", "in parentheses")
		return &Paren{pos, x}
	}
	p.unexpected("an expression", "instead of an expression")
	return nil
}

// characters reads a character constant with a substring of it, or a constant of bits such as 'FF'X.
func (p *parser) characters(pos Pos) Expr {
	text := p.quoted()
	if c := p.peek(0); radixOf(c) > 0 && !nameChar(p.peek(1)) && !p.gap[p.i] {
		p.i++
		return p.boz(pos, text, c)
	}
	s := &Str{pos, text}
	if p.peek(0) == '(' {
		if lo, hi, ok := p.substring(); ok {
			return &Substring{s, lo, hi}
		}
	}
	return s
}

// radixOf returns the radix of a letter before or after a constant of bits, 0 for other characters.
func radixOf(c byte) int {
	switch c {
	case 'B':
		return 2
	case 'O':
		return 8
	case 'Z', 'X':
		return 16
	}
	return 0
}

// boz returns a constant of bits.
func (p *parser) boz(pos Pos, text string, letter byte) Expr {
	bits, err := strconv.ParseUint(text, radixOf(letter), 64)
	if err != nil {
		p.report(pos, "at most 64 bits, in digits of the radix "+itoa(radixOf(letter)), "%q is not a constant of bits", text)
		panic(failure{})
	}
	return &Boz{pos, bits}
}

// numeral reads an integer or real constant.
func (p *parser) numeral() Expr {
	pos, from := p.pos(), p.i
	p.digits()
	real := false
	if p.peek(0) == '.' && !p.dotted() {
		real = true
		p.i++
		p.digits()
	}
	double := false
	if c := p.peek(0); c == 'E' || c == 'D' {
		n := 1
		if s := p.peek(1); s == '+' || s == '-' {
			n = 2
		}
		if digit(p.peek(n)) && (!p.free || !p.gap[p.i]) {
			real, double = true, c == 'D'
			p.i += n
			p.digits()
		}
	}
	text := string(p.text[from:p.i])
	kind := ""
	if p.peek(0) == '_' {
		p.i++
		k := p.i
		for nameChar(p.peek(0)) {
			p.i++
		}
		kind = string(p.text[k:p.i])
	}
	if real {
		r := &Real{pos, strings.Replace(text, "D", "E", 1), double, kind}
		if v, err := strconv.ParseFloat(r.Text, 64); err != nil && math.IsInf(v, 0) {
			p.fail(from, "a number of at most about 1.8E308", "%s is too large", text)
		}
		return r
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		p.fail(from, "an integer of 64 bits", "%s is too large", text)
	}
	return &Int{pos, v, kind}
}

// dotted reports whether the next point begins an operator such as .EQ. and is not a decimal point.
func (p *parser) dotted() bool {
	n := 1
	for letter(p.peek(n)) {
		n++
	}
	return n > 1 && p.peek(n) == '.'
}

// reference reads a name with its subscripts or arguments.
func (p *parser) reference() Expr {
	n := p.name("a name")
	var x Expr = &Var{n}
	if p.peek(0) == '(' {
		p.applied[n.Text] = true
		x = &Apply{n, p.args()}
	}
	x = p.components(x)
	if _, alone := x.(*Var); !alone && p.peek(0) == '(' {
		lo, hi, ok := p.substring()
		if !ok {
			p.fail(p.i, "", "arrays of arrays do not exist")
		}
		return &Substring{x, lo, hi}
	}
	return x
}

// substring reads (lo:hi) after an element. After a name alone it looks like a section and is read as one.
func (p *parser) substring() (lo, hi Expr, ok bool) {
	from := p.i
	p.expect("(", "")
	if !p.is(":") {
		lo = p.expr()
	}
	if !p.accept(":") {
		p.i = from
		return nil, nil, false
	}
	if !p.is(")") {
		hi = p.expr()
	}
	p.expect(")", "in a substring")
	return lo, hi, true
}

// args reads arguments or subscripts in parentheses.
func (p *parser) args() []Arg {
	defer p.enter()()
	p.expect("(", "instead of arguments")
	if p.accept(")") {
		return []Arg{}
	}
	var out []Arg
	for {
		out = append(out, p.arg())
		if !p.accept(",") {
			p.expect(")", "in the arguments")
			return out
		}
	}
}

// callArgs reads the arguments of CALL, and the labels of alternate returns among them.
func (p *parser) callArgs() (args []Arg, labels []int) {
	p.expect("(", "instead of arguments")
	args = []Arg{}
	if p.accept(")") {
		return args, nil
	}
	p.commas(func() {
		if p.peek(0) == '*' && digit(p.peek(1)) {
			p.i++
			labels = append(labels, p.labelRef())
		} else {
			args = append(args, p.arg())
		}
	})
	p.expect(")", "in the arguments")
	return args, labels
}

func (p *parser) arg() Arg {
	from := p.i
	if letter(p.peek(0)) {
		at := p.scanName()
		if p.peek(0) == '=' && p.peek(1) != '=' {
			p.i++
			return Arg{at, p.argValue()}
		}
		p.i = from
	}
	return Arg{"", p.argValue()}
}

func (p *parser) argValue() Expr {
	pos := p.pos()
	if p.peek(0) == '*' {
		p.i++
		if digit(p.peek(0)) {
			p.fail(p.i-1, "a value", "a label is an argument of CALL only")
		}
		return &Star{pos}
	}
	var lo Expr
	if p.peek(0) != ':' {
		lo = p.expr()
		if p.peek(0) != ':' {
			return lo
		}
	}
	p.accept(":")
	s := &Section{Pos: pos, Lo: lo}
	if c := p.peek(0); c != ',' && c != ')' && c != ':' {
		s.Hi = p.expr()
	}
	if p.accept(":") {
		s.Step = p.expr()
	}
	return s
}
