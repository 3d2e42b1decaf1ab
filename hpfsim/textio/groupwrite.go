package textio

import (
	"strconv"
	"strings"

	"whorl/hpfsim/syntax"
)

// mostInLine is the number of values in a line of a group, as in gfortran.
const mostInLine = 6

// WriteGroup writes a group in the layout of gfortran. Delim is the quote around characters, 0 for none.
func WriteGroup(name string, objects []Object, sink Sink, delim byte) error {
	g := groupWriter{sink: sink, delim: delim}
	g.text("&" + strings.ToUpper(name))
	g.newLine()
	for i := range objects {
		g.object(&objects[i])
	}
	g.text(" /")
	g.newLine()
	return g.err
}

// A groupWriter writes a group, until an error.
type groupWriter struct {
	sink  Sink
	delim byte
	err   error
}

func (g *groupWriter) text(s string) {
	if g.err == nil {
		g.err = g.sink.Text([]byte(s))
	}
}

func (g *groupWriter) newLine() {
	if g.err == nil {
		g.err = g.sink.EndRecord()
	}
}

// object writes NAME=values. Equal elements one after the other are one value with a count.
func (g *groupWriter) object(o *Object) {
	g.text(" " + strings.ToUpper(o.Name) + "=")
	size, inLine := o.size(), 1
	for i := 0; i < size && g.err == nil; {
		v := o.Get(i)
		n := 1
		for i+n < size && o.Get(i+n) == v {
			n++
		}
		i += n
		value := g.value(Datum{v, o.Type})
		if n > 1 {
			g.text(" " + strconv.Itoa(n) + "*")
			if o.Type.Floating() {
				value = left(value)
			}
		}
		g.text(value + ",")
		if inLine++; inLine == mostInLine {
			inLine = 0
			g.newLine()
			g.text(" ")
		}
	}
	g.newLine()
}

// value writes a value without a blank before it.
func (g *groupWriter) value(d Datum) string {
	switch d.Type.Base {
	case syntax.CharacterType:
		if g.delim == 0 {
			return d.Value.S
		}
		return delimited(d.Value.S, g.delim)
	case syntax.IntegerType:
		return left(field(d)[1:])
	case syntax.LogicalType, syntax.ComplexType:
		return strings.TrimLeft(field(d), " ")
	}
	return field(d)[1:]
}

// left moves a text to the left of its field.
func left(s string) string {
	t := strings.TrimLeft(s, " ")
	return t + blanks(len(s)-len(t))
}
