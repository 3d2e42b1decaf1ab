package syntax

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format returns the text of a term with the fewest quotes and parentheses such that Parse returns the same term. It does not recurse,
// because terms from outside this package may nest to any depth.
func Format(t Term) string {
	p := printer{todo: []job{{term: t, priority: 1200}}}
	for len(p.todo) > 0 {
		j := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		switch {
		case j.term == nil:
			p.put(j.text)
		case j.tail:
			p.tail(j.term)
		default:
			p.term(j)
		}
	}
	return p.out.String()
}

// A job is a text or a term still to be printed.
type job struct {
	text     string
	term     Term
	priority int  // a term of a higher priority is put into parentheses
	operand  bool // the term is the argument of an operator
	tail     bool // the term is the tail of a list
}

// A printer prints the jobs of a stack.
type printer struct {
	out  strings.Builder
	last byte // the last byte printed
	todo []job
}

// push adds jobs to the stack, the first on top.
func (p *printer) push(jobs ...job) {
	for i := len(jobs) - 1; i >= 0; i-- {
		p.todo = append(p.todo, jobs[i])
	}
}

// put prints a token, preceded by a space if it would merge with the previous token.
func (p *printer) put(text string) {
	if text == "" {
		return
	}
	if a, b := p.last, text[0]; classes[a] == classSymbol && classes[b] == classSymbol || alphanumeric(a) && (alphanumeric(b) || b == '\'') {
		p.out.WriteByte(' ')
	}
	p.out.WriteString(text)
	p.last = text[len(text)-1]
}

func alphanumeric(c byte) bool {
	k := classes[c]
	return k == classLower || k == classUpper || k == classDigit || c >= utf8.RuneSelf
}

func (p *printer) term(j job) {
	switch t := j.term.(type) {
	case *Var:
		p.put(t.Name)
	case *Int:
		if t.Big != "" {
			p.put(t.Big)
		} else {
			p.put(strconv.FormatInt(t.Value, 10))
		}
	case *Float:
		p.put(FormatFloat(t.Value, -1))
	case *Str:
		p.put(quote(t.Value, '"'))
	case *Atom:
		name := t.Name
		if name != "[]" {
			name = FormatName(name)
		}
		if j.operand && isOperator(name) || name == ":-" {
			name = "(" + name + ")" // otherwise the operator would be applied to its neighbours
		}
		p.put(name)
	case *List:
		p.put("[")
		p.push(job{term: t.Head, priority: 999}, job{term: t.Tail, tail: true})
	case *Vector:
		p.args("{", t.Args, "}")
	case *Compound:
		p.compound(t, j.priority)
	default:
		panic(fmt.Sprintf("syntax: no term: %T", t))
	}
}

// tail prints the rest of a list after an element.
func (p *printer) tail(t Term) {
	switch l := t.(type) {
	case *List:
		p.put(",")
		p.push(job{term: l.Head, priority: 999}, job{term: l.Tail, tail: true})
		return
	case *Atom:
		if l.Name == "[]" {
			p.put("]")
			return
		}
	}
	p.put("|")
	p.push(job{term: t, priority: 999}, job{text: "]"})
}

func (p *printer) args(open string, args []Term, closing string) {
	p.put(open)
	jobs := make([]job, 0, 2*len(args)+1)
	for i, arg := range args {
		if i > 0 {
			jobs = append(jobs, job{text: ","})
		}
		jobs = append(jobs, job{term: arg, priority: 999})
	}
	p.push(append(jobs, job{text: closing})...)
}

func (p *printer) compound(t *Compound, priority int) {
	infix, isInfix := Standard.infix[t.Name]
	prefix, isPrefix := Standard.prefix[t.Name]
	switch {
	case len(t.Args) == 2 && isInfix:
		sign := job{text: t.Name}
		if c := classes[t.Name[0]]; c == classLower || infix.Priority >= 700 && t.Name != "," && t.Name != "@" && t.Name != ":" {
			sign.text = " " + t.Name + " "
		}
		left := infix.LeftWritten()
		if c, ok := t.Args[0].(*Compound); ok && len(c.Args) == 1 && Standard.prefix[c.Name].Right >= infix.Priority {
			left = 0 // otherwise the prefix operator would apply to the whole infix term
		}
		p.enclose(infix.Priority > priority, job{term: t.Args[0], priority: left, operand: true}, sign, job{term: t.Args[1], priority: infix.Right, operand: true})
	case len(t.Args) == 1 && isPrefix && closed(t.Args[0]):
		sign := t.Name
		if Word(sign) {
			sign += " "
		}
		p.enclose(prefix.Priority > priority, job{text: sign}, job{term: t.Args[0], priority: prefix.Right})
	default:
		p.args(FormatName(t.Name)+"(", t.Args, ")")
	}
}

// enclose pushes jobs, in parentheses if needed.
func (p *printer) enclose(needed bool, jobs ...job) {
	if needed {
		jobs = append(append([]job{{text: "("}}, jobs...), job{text: ")"})
	}
	p.push(jobs...)
}

// closed reports whether a term can follow a prefix operator without parentheses: it neither is nor begins with an operator, and is no number,
// whose sign the prefix operator would become. In "module +(a,b,c)" the + would be infix.
func closed(t Term) bool {
	switch t := t.(type) {
	case *Int, *Float:
		return false
	case *Atom:
		return !isOperator(t.Name)
	case *Compound:
		return !isOperator(t.Name)
	}
	return true
}

// isOperator reports whether name is an operator of any kind.
func isOperator(name string) bool {
	_, prefix := Standard.prefix[name]
	_, infix := Standard.infix[name]
	_, postfix := Standard.postfix[name]
	return prefix || infix || postfix
}

// FormatFloat returns the decimal text of v with a number of digits, or -1 for the fewest that read as v. The text has a decimal point, unless
// v is infinite or NaN, which have no notation in a program.
func FormatFloat(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'g', digits, 64)
	if math.IsInf(v, 0) || math.IsNaN(v) || strings.Contains(text, ".") {
		return text
	}
	mantissa, exponent, ok := strings.Cut(text, "e")
	if !ok {
		return text + ".0"
	}
	return mantissa + ".0e" + exponent
}

// FormatName returns the text of an atom or a functor name, quoted if necessary.
func FormatName(name string) string {
	if bare(name) {
		return name
	}
	return quote(name, '\'')
}

func bare(name string) bool {
	if name == "!" || name == ";" {
		return true
	}
	symbols := name != "" && !strings.Contains(name, "/*")
	for i := 0; i < len(name) && symbols; i++ {
		symbols = classes[name[i]] == classSymbol && name[i] != '.'
	}
	if symbols {
		return true
	}
	for i, r := range name {
		if i == 0 && (r == '_' || !unicode.IsLetter(r) || unicode.IsUpper(r) || unicode.IsTitle(r)) || !isNamePart(r) {
			return false
		}
	}
	return name != ""
}

// quote quotes a text. Unprintable characters are escaped; invalid UTF-8 becomes U+FFFD.
func quote(text string, mark byte) string {
	const letters, escapes = "\n\t\r\a\b\f\v\\", `ntrabfv\`
	b := []byte{mark}
	for _, r := range text {
		switch i := strings.IndexRune(letters, r); {
		case r == utf8.RuneError:
			b = utf8.AppendRune(b, r)
		case i >= 0:
			b = append(b, '\\', escapes[i])
		case r == rune(mark):
			b = append(b, '\\', mark)
		case unicode.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r < utf8.RuneSelf:
			b = fmt.Appendf(b, `\%03o`, r)
		default:
			b = fmt.Appendf(b, `\x%03x\`, r)
		}
	}
	return string(append(b, mark))
}
