//go:build !js

package ninja

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// A scope has the variables of a file, or of the statement of an edge.
type scope struct {
	outer *scope
	vars  map[string]string
}

func newScope(outer *scope) *scope { return &scope{outer, map[string]string{}} }

func (s *scope) value(name string) string {
	for ; s != nil; s = s.outer {
		if v, ok := s.vars[name]; ok {
			return v
		}
	}
	return ""
}

// A parser reads the files of a graph. Of rules only phony matters, which is an edge like others, so rules and pools are skipped.
type parser struct {
	g       *graph
	folder  fs.FS
	files   int
	dynamic bool // the files add inputs and outputs to edges

	name string
	text []byte // the rest of the file
	line int
}

// mostValue bounds the length of a path and of the value of a variable.
const mostValue = 1 << 16

// file reads a file in a scope.
func (p *parser) file(name string, s *scope, depth int) error {
	if p.files++; p.files > mostFiles || depth > mostDepth {
		return lineError(p.name, p.line, "too many files that include each other")
	}
	f, err := p.folder.Open(path.Clean(name))
	if err != nil && depth > 0 {
		p.g.unreadable++
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostBytes-p.g.size+1))
	if err != nil {
		return err
	}
	if p.g.size += int64(len(text)); p.g.size > mostBytes {
		return errLarge
	}
	if n := len(text); n > 0 && text[n-1] != '\n' && p.g.cut == "" {
		p.g.cut = fmt.Sprintf("the end of %s: line %d has no end", name, bytes.Count(text, []byte("\n"))+1)
	}
	outer := *p
	defer func() { p.name, p.text, p.line = outer.name, outer.text, outer.line }()
	p.name, p.text, p.line = name, text, 0
	for len(p.text) > 0 {
		if err := p.statement(s, depth); err != nil {
			return err
		}
	}
	return nil
}

// next returns the next line, with the lines that continue it after a $.
func (p *parser) next() []byte {
	end, lines := 0, 1
	for {
		n := bytes.IndexByte(p.text[end:], '\n')
		if n < 0 {
			end = len(p.text)
			break
		}
		end += n
		dollars := 0
		for i := end - 1; i >= 0 && (p.text[i] == '$' || p.text[i] == '\r' && i == end-1); i-- {
			if p.text[i] == '$' {
				dollars++
			}
		}
		if dollars%2 == 0 {
			break
		}
		end++
		lines++
	}
	line := p.text[:end]
	p.text = p.text[min(end+1, len(p.text)):]
	p.line += lines
	return bytes.TrimRight(line, "\r")
}

// indented reports whether the next line belongs to the statement before it.
func (p *parser) indented() bool { return len(p.text) > 0 && p.text[0] == ' ' }

// statement reads a statement with the lines that belong to it.
func (p *parser) statement(s *scope, depth int) error {
	line := p.next()
	if trimmed := bytes.TrimLeft(line, " "); len(trimmed) == 0 || trimmed[0] == '#' {
		return nil
	}
	word, rest, _ := bytes.Cut(line, []byte{' '})
	switch string(word) {
	case "build":
		return p.edge(rest, s)
	case "rule", "pool":
		for p.indented() {
			p.next()
		}
		return nil
	case "default":
		return nil
	case "include", "subninja":
		name := p.value(bytes.TrimLeft(rest, " "), s)
		if string(word) == "subninja" {
			s = newScope(s)
		}
		return p.file(name, s, depth+1)
	}
	return p.set(line, s, s)
}

// set sets a variable of a scope. Its value is evaluated in another scope.
func (p *parser) set(line []byte, s, in *scope) error {
	name, value, ok := bytes.Cut(line, []byte{'='})
	if name = bytes.TrimSpace(name); !ok || len(name) == 0 || bytes.ContainsAny(name, " :|$") {
		return lineError(p.name, p.line, "expected build, rule, pool, default, include, subninja or NAME = VALUE")
	}
	v := p.value(bytes.TrimLeft(value, " "), in)
	if p.g.size += int64(len(v)); p.g.size > mostBytes {
		return errLarge
	}
	s.vars[string(name)] = v
	return nil
}

// edge reads the statement of an edge after the word build.
func (p *parser) edge(text []byte, s *scope) error {
	if line := p.line; p.indented() {
		own := newScope(s)
		for p.indented() {
			more := p.next()
			if trimmed := bytes.TrimLeft(more, " "); len(trimmed) == 0 || trimmed[0] == '#' {
				continue
			}
			if err := p.set(more, own, s); err != nil {
				return err
			}
		}
		s = own
		p.line, line = line, p.line
		defer func() { p.line = line }()
	}
	var outputs, inputs []int32
	to, rule, valid := &outputs, false, true
	for {
		text = skip(text)
		switch {
		case len(text) == 0:
			if !rule {
				return lineError(p.name, p.line, "expected : and a rule after the outputs")
			}
			if p.dynamic {
				if len(outputs) > 0 {
					p.g.extend(outputs[0], inputs, outputs[1:])
				}
				return nil
			}
			p.g.edge(outputs, inputs)
			if file := s.value("dyndep"); file != "" {
				p.g.dynamic = append(p.g.dynamic, clean(file))
			}
			return nil
		case text[0] == ':' && !rule:
			rule, to = true, &inputs
			text = skip(text[1:])
			n := bytes.IndexAny(text, " |\r")
			if n < 0 {
				n = len(text)
			}
			text = text[n:]
		case text[0] == '|': // |, || and |@. Nothing waits for the inputs after |@
			text = bytes.TrimLeft(text, "|")
			if valid = len(text) == 0 || text[0] != '@'; !valid {
				text = text[1:]
			}
		case text[0] == ':':
			return lineError(p.name, p.line, "expected one :")
		default:
			n := word(text)
			name := clean(p.value(text[:n], s))
			text = text[n:]
			if name == "" {
				continue
			}
			if p.g.size += int64(len(name)); p.g.size > mostBytes {
				return errLarge
			}
			if valid {
				*to = append(*to, p.g.path(name))
			}
		}
	}
}

// skip removes spaces, and ends of lines after a $.
func skip(text []byte) []byte {
	for {
		text = bytes.TrimLeft(text, " \r")
		switch {
		case bytes.HasPrefix(text, []byte("$\n")):
			text = text[2:]
		case bytes.HasPrefix(text, []byte("$\r\n")):
			text = text[3:]
		default:
			return text
		}
	}
}

// word returns the length of the path at the beginning of a text, which is not empty.
func word(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ', ':', '|', '\r':
			return i
		case '$':
			if i+1 < len(text) && (text[i+1] == '\n' || text[i+1] == '\r') {
				return i
			}
			i++
		}
	}
	return len(text)
}

// value evaluates a text: it replaces variables and the characters after a $.
func (p *parser) value(text []byte, s *scope) string {
	if bytes.IndexByte(text, '$') < 0 {
		return string(text)
	}
	var b strings.Builder
	for len(text) > 0 && b.Len() < mostValue {
		n := bytes.IndexByte(text, '$')
		if n < 0 || n == len(text)-1 {
			b.Write(text)
			break
		}
		b.Write(text[:n])
		text = text[n+1:]
		switch c := text[0]; {
		case c == '\n', c == '\r':
			text = bytes.TrimLeft(text, "\r\n ")
		case c == '{':
			name, rest, _ := bytes.Cut(text[1:], []byte{'}'})
			b.WriteString(s.value(string(name)))
			text = rest
		case simple(c):
			k := 1
			for k < len(text) && simple(text[k]) {
				k++
			}
			b.WriteString(s.value(string(text[:k])))
			text = text[k:]
		default: // $$, $: and a space
			b.WriteByte(c)
			text = text[1:]
		}
	}
	return b.String()
}

// simple reports whether a character may be in the name of a variable without braces.
func simple(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
