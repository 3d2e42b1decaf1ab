// Package vrml writes worlds as VRML 2.0 (ISO/IEC 14772-1:1997, VRML97) and as X3D (ISO/IEC 19775, in the XML of
// ISO/IEC 19776-1). As in the paper of Osawa, Morita and Yuba, a file has prototypes of a body and of a link,
// interpolators that move them, and a clock whose disc stops and starts the time when it is clicked.
//
// One writer (scene.go) writes both notations. The common part of all worlds is in head.wrl and head.x3d. Each
// interpolator has only the necessary key frames, and numbers have only the digits that a viewer can show.
package vrml

import (
	"bufio"
	_ "embed"
	"io"
	"strings"

	"whorl/visual/space"
)

//go:embed head.wrl
var headVRML string

// WriteVRML writes a world as VRML 2.0 in UTF-8. It returns the error of out.
func WriteVRML(out io.Writer, w *space.World) error {
	b := bufio.NewWriterSize(out, 1<<16)
	_, _ = b.WriteString(headVRML + "\n") // Flush returns the error
	newWriter(w, &classic{b}).all()
	return b.Flush()
}

// classic is the notation of VRML 2.0.
type classic struct{ *bufio.Writer }

func (c *classic) node(kind, name string, fields ...field) {
	if name != "" {
		c.put("DEF ", name, " ")
	}
	c.put(kind, " {")
	for _, f := range fields {
		c.put(" ", f.name, " ")
		if f.many {
			c.put("[")
		}
		for i, t := range f.texts {
			if i > 0 {
				c.put(", ")
			}
			c.put(`"`, quote.Replace(plain(t)), `"`)
		}
		_, _ = c.Write(f.value)
		if f.many {
			c.put("]")
		}
	}
	c.put(" }\n")
}

func (c *classic) instance(kind, name string, fields ...field) { c.node(kind, name, fields...) }

func (c *classic) route(from, event, to, field string) {
	c.put("ROUTE ", from, ".", event, " TO ", to, ".", field, "\n")
}

// soundFields returns the begins of the sounds, for the script of the prototype.
func (c *classic) soundFields(times [][]byte) []field {
	var begins []byte
	for i := 0; i < len(times); i += 2 {
		begins = append(append(begins, times[i]...), ' ')
	}
	return []field{{name: "at", value: begins[:len(begins)-1], many: true}}
}

func (c *classic) put(texts ...string) {
	for _, t := range texts {
		_, _ = c.WriteString(t)
	}
}

// quote escapes a text for quotation marks.
var quote = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// plain returns a text without the characters that VRML and XML forbid.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}
