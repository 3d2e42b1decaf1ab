package preprocess

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/fault"
)

// A piece is a part of a line. The field origin holds for each character the offset in the line from which it comes.
type piece struct {
	text   []byte
	origin []int32
}

func whole(line string) piece {
	p := piece{[]byte(line), make([]int32, len(line))}
	for i := range p.origin {
		p.origin[i] = int32(i)
	}
	return p
}

// written returns a text that replaces the character at an offset of the line.
func written(text string, at int) piece {
	p := piece{[]byte(text), make([]int32, len(text))}
	for i := range p.origin {
		p.origin[i] = int32(at)
	}
	return p
}

func (p piece) part(i, j int) piece { return piece{p.text[i:j:j], p.origin[i:j:j]} }
func (p piece) from(i int) piece    { return p.part(i, len(p.text)) }
func (p piece) to(j int) piece      { return p.part(0, j) }

func (p piece) join(q piece) piece {
	return piece{append(p.text, q.text...), append(p.origin, q.origin...)}
}

func (p piece) starts(c byte) bool { return len(p.text) > 0 && p.text[0] == c }
func (p piece) ends(c byte) bool   { return len(p.text) > 0 && p.text[len(p.text)-1] == c }

// place returns the offset in the line from which character i comes.
func (p piece) place(i int) int {
	switch {
	case i < len(p.origin):
		return int(p.origin[i])
	case len(p.origin) > 0:
		return int(p.origin[len(p.origin)-1]) + 1
	}
	return 1 << 30 // the end of the line
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

func (p piece) trimmed() piece {
	i, j := 0, len(p.text)
	for i < j && blank(p.text[i]) {
		i++
	}
	for j > i && blank(p.text[j-1]) {
		j--
	}
	return p.part(i, j)
}

// nameAt returns the length of the name at i, 0 if there is none.
func nameAt(text []byte, i int) int {
	j := i
	for j < len(text) && (text[j] == '_' || 'a' <= text[j]|' ' && text[j]|' ' <= 'z' || j > i && '0' <= text[j] && text[j] <= '9') {
		j++
	}
	return j - i
}

// A macro is a name that stands for a text.
type macro struct {
	text   string
	params []string // nil for a macro without parentheses
	pos    fault.Pos
}

func (r *reader) defined(name string) bool {
	return r.macros[name] != nil || name == "__LINE__" || name == "__FILE__"
}

// define enters the macro of a #define.
func (r *reader) define(p piece) {
	n := nameAt(p.text, 0)
	if n == 0 {
		r.fail(p.place(0), "a name", "#define without a name")
		return
	}
	name := string(p.text[:n])
	m := &macro{pos: r.pos(p.place(0))}
	if name == "defined" || name == "__LINE__" || name == "__FILE__" {
		r.fail(p.place(0), "another name", "%s cannot be defined", name)
		return
	}
	rest := p.from(n)
	if rest.starts('(') {
		end := slices.Index(rest.text, ')')
		if end < 0 {
			r.fail(rest.place(0), ")", "the parameters of the macro %s are not closed", name)
			return
		}
		m.params = []string{}
		if list := strings.TrimSpace(string(rest.text[1:end])); list != "" {
			for _, q := range strings.Split(list, ",") {
				q = strings.TrimSpace(q)
				if k := nameAt([]byte(q), 0); k == 0 || k < len(q) || slices.Contains(m.params, q) {
					r.fail(rest.place(1), "names that differ, separated by commas", "%q is no parameter of the macro %s", q, name)
					return
				}
				m.params = append(m.params, q)
			}
		}
		rest = rest.from(end + 1)
	} else if len(rest.text) > 0 && !blank(rest.text[0]) {
		r.fail(rest.place(0), "a blank after the name", "%q follows the name of the macro %s", rest.text[:1], name)
		return
	}
	m.text = string(rest.trimmed().text)
	if old := r.macros[name]; old != nil && (old.text != m.text || !slices.Equal(old.params, m.params)) && old.pos.Line > 0 {
		r.errs = append(r.errs, &fault.Error{
			Pos: m.pos, Msg: name + " is defined in another way in line " + strconv.Itoa(int(old.pos.Line)) + " of " + old.pos.File,
			Want: "#undef " + name + " before", Severity: fault.Warning,
		})
	}
	r.macros[name] = m
}

const (
	maxSteps = 1 << 16 // macros that are replaced in a line
	maxLine  = 1 << 16 // bytes of a line
	maxDepth = 200     // macros in macros
)

// tooMuch reports a line whose macros do not end.
func (r *reader) tooMuch(at, size, depth int) bool {
	if r.steps > maxSteps {
		return true
	}
	if r.steps++; r.steps > maxSteps || size > maxLine || depth > maxDepth {
		r.fail(at, "macros with less text", "the macros of this line are too long: more than %d bytes, %d macros, or %d in each other", maxLine, maxSteps, maxDepth)
		r.steps = maxSteps + 1
		return true
	}
	return false
}

// plain takes the place of a macro around a text that is neither a line of the program nor the text of a macro: a condition or an argument.
const plain = ""

// expand replaces the macros in a text, except for those around it. Without macros around it the text is a line of the program: a character constant
// may continue from the previous line, and comments do not change. It returns the text itself and false if there are no macros.
func (r *reader) expand(p piece, around []string) (piece, bool) {
	out := piece{make([]byte, 0, len(p.text)), make([]int32, 0, len(p.text))}
	changed := false
	for i := 0; i < len(p.text); {
		switch c := p.text[i]; {
		case len(around) == 0 && r.quote != 0, c == '\'' || c == '"':
			j := i
			quote := r.quote
			if len(around) > 0 || quote == 0 {
				quote = c
				j++
			}
			for j < len(p.text) && p.text[j] != quote {
				j++
			}
			if len(around) == 0 {
				if r.quote = 0; j == len(p.text) {
					r.quote = quote
				}
			}
			j = min(j+1, len(p.text))
			out = out.join(p.part(i, j))
			i = j
		case c == '!' && len(around) == 0 && !(i+4 < len(p.text) && strings.EqualFold(string(p.text[i+1:i+5]), "HPF$")):
			return out.join(p.from(i)), changed
		case '0' <= c && c <= '9':
			j := i + 1
			for j < len(p.text) && ('0' <= p.text[j] && p.text[j] <= '9' || nameAt(p.text, j) > 0) {
				j++
			}
			out = out.join(p.part(i, j))
			i = j
		case nameAt(p.text, i) > 0:
			n := nameAt(p.text, i)
			with, used, ok := r.replaced(p.from(i), string(p.text[i:i+n]), around)
			if !ok {
				with, used = p.part(i, i+n), n
			} else {
				changed = true
			}
			if len(out.text)+len(with.text) > maxLine && r.tooMuch(p.place(i), len(out.text)+len(with.text), 0) {
				return out, changed
			}
			out = out.join(with)
			i += used
		default:
			out = out.join(p.part(i, i+1))
			i++
		}
	}
	return out, changed
}

// replaced returns the text that replaces the macro name at the beginning of p, and the length of the replaced text. It returns false if name is not
// a macro.
func (r *reader) replaced(p piece, name string, around []string) (piece, int, bool) {
	at := p.place(0)
	switch name {
	case "__LINE__":
		return written(strconv.Itoa(r.number+1), at), len(name), true
	case "__FILE__":
		return written(`"`+r.out.Files[r.file].Name+`"`, at), len(name), true
	}
	m := r.macros[name]
	if m == nil || slices.Contains(around, name) || r.tooMuch(at, 0, len(around)) {
		return piece{}, 0, false
	}
	text, used := written(m.text, at), len(name)
	if m.params != nil {
		from := len(name)
		for from < len(p.text) && blank(p.text[from]) {
			from++
		}
		if from == len(p.text) || p.text[from] != '(' {
			return piece{}, 0, false
		}
		args, end := arguments(p, from)
		if end < 0 {
			r.fail(at, "a ) in the same line", "the arguments of the macro %s do not end in this line", name)
			return piece{}, 0, false
		}
		if len(m.params) == 0 && len(args) == 1 && len(args[0].text) == 0 {
			args = nil
		}
		if len(args) != len(m.params) {
			r.fail(at, "", "the macro %s has %d parameters, but %d arguments are given", name, len(m.params), len(args))
			return piece{}, 0, false
		}
		text, used = r.filled(m, args, at, around), end
	} else {
		text = r.pasted(text)
	}
	out, _ := r.expand(text, append(around[:len(around):len(around)], name))
	return out, used, true
}

// arguments returns the arguments in the parentheses at from, and the place after them, -1 if they do not end.
func arguments(p piece, from int) (args []piece, end int) {
	depth, begin := 0, from+1
	for i := from; i < len(p.text); i++ {
		switch c := p.text[i]; c {
		case '\'', '"':
			for i++; i < len(p.text) && p.text[i] != c; i++ {
			}
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return append(args, p.part(begin, i).trimmed()), i + 1
			}
		case ',':
			if depth == 1 {
				args = append(args, p.part(begin, i).trimmed())
				begin = i + 1
			}
		}
	}
	return nil, -1
}

// filled returns the text of a macro with its arguments. An argument is expanded first unless # or ## is next to it.
func (r *reader) filled(m *macro, args []piece, at int, around []string) piece {
	body := []byte(m.text)
	var out piece
	for i := 0; i < len(body); {
		if len(out.text) > maxLine {
			r.tooMuch(at, len(out.text), 0)
			return piece{}
		}
		n := nameAt(body, i)
		if body[i] == '#' && (i+1 == len(body) || body[i+1] != '#') {
			j := i + 1
			for j < len(body) && blank(body[j]) {
				j++
			}
			k := nameAt(body, j)
			if q := slices.Index(m.params, string(body[j:j+k])); k > 0 && q >= 0 {
				out = out.join(written(`"`+strings.ReplaceAll(string(args[q].text), `"`, `""`)+`"`, at))
				i = j + k
				continue
			}
		}
		if n == 0 {
			n = 1
			if bytes.HasPrefix(body[i:], []byte("##")) {
				n = 2
			}
			out = out.join(written(string(body[i:i+n]), at))
			i += n
			continue
		}
		q := slices.Index(m.params, string(body[i:i+n]))
		switch {
		case q < 0:
			out = out.join(written(string(body[i:i+n]), at))
		case bytes.HasSuffix(bytes.TrimRight(body[:i], " \t"), []byte("##")), bytes.HasPrefix(bytes.TrimLeft(body[i+n:], " \t"), []byte("##")):
			out = out.join(args[q])
		default:
			arg, _ := r.expand(args[q], append(around[:len(around):len(around)], plain))
			out = out.join(arg)
		}
		i += n
	}
	return r.pasted(out)
}

// pasted removes ## with the blanks around it.
func (r *reader) pasted(p piece) piece {
	for {
		k := bytes.Index(p.text, []byte("##"))
		if k < 0 {
			return p
		}
		i, j := k, k+2
		for i > 0 && blank(p.text[i-1]) {
			i--
		}
		for j < len(p.text) && blank(p.text[j]) {
			j++
		}
		p = piece{}.join(p.to(i)).join(p.from(j))
	}
}
