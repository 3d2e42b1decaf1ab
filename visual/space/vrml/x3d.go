package vrml

import (
	"bufio"
	_ "embed"
	"io"
	"strconv"
	"strings"

	"whorl/visual/space"
)

//go:embed head.x3d
var headX3D string

// WriteX3D writes a world as X3D in XML with the profile Immersive. It returns the error of out.
func WriteX3D(out io.Writer, w *space.World) error {
	b := bufio.NewWriterSize(out, 1<<16)
	_, _ = b.WriteString(headX3D) // Flush returns the error
	newWriter(w, &tagged{b}).all()
	_, _ = b.WriteString("</Scene>\n</X3D>\n")
	return b.Flush()
}

// tagged is the XML notation of X3D.
type tagged struct{ *bufio.Writer }

func (x *tagged) node(kind, name string, fields ...field) {
	x.put("<", kind)
	if name != "" {
		x.put(" DEF='", name, "'")
	}
	for i := range fields {
		x.put(" ", fields[i].name, "='")
		x.value(&fields[i])
		x.put("'")
	}
	x.put("/>\n")
}

func (x *tagged) instance(kind, name string, fields ...field) {
	x.put("<ProtoInstance name='", kind, "' DEF='", name, "'>")
	for i := range fields {
		x.put("<fieldValue name='", fields[i].name, "' value='")
		x.value(&fields[i])
		x.put("'/>")
	}
	x.put("</ProtoInstance>\n")
}

func (x *tagged) value(f *field) {
	for i, t := range f.texts {
		if i > 0 {
			x.put(" ")
		}
		if f.many {
			t = `"` + quote.Replace(plain(t)) + `"`
		}
		x.put(escape.Replace(plain(t)))
	}
	_, _ = x.Write(f.value)
}

func (x *tagged) route(from, event, to, field string) {
	x.put("<ROUTE fromNode='", from, "' fromField='", event, "' toNode='", to, "' toField='", field, "'/>\n")
}

// soundFields returns the keys of a boolean sequencer.
func (x *tagged) soundFields(times [][]byte) []field {
	keys, rings := []byte("0"), []byte("false")
	for i, t := range times {
		keys = append(append(keys, ' '), t...)
		rings = strconv.AppendBool(append(rings, ' '), i%2 == 0)
	}
	return []field{{name: "key", value: keys, many: true}, {name: "keyValue", value: rings, many: true}}
}

func (x *tagged) put(texts ...string) {
	for _, t := range texts {
		_, _ = x.WriteString(t)
	}
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&apos;", "\n", "&#10;", "\t", "&#9;")
