// Package vrml writes worlds as VRML 2.0 (ISO/IEC 14772-1:1997, VRML97) and as X3D (ISO/IEC 19775, in the XML of ISO/IEC 19776-1), as the
// dynamic-system animation paper does: prototypes of a body and of a link, interpolators that move them, and a clock whose disc stops and
// starts the time when it is clicked.
//
// Both are one scene, made by one function (scene.go) in two notations. What all worlds have in common is a text of its own (head.wrl,
// head.x3d). Each interpolator has the key frames that it needs, and numbers the digits that a viewer shows.
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

// WriteVRML writes a world as VRML 2.0 in UTF-8. An error is that of out.
func WriteVRML(out io.Writer, w *space.World) error {
	b := bufio.NewWriterSize(out, 1<<16)
	_, _ = b.WriteString(headVRML + "\n") // b remembers its error
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

// bells are when it sounds, which is what the script of the prototype wants to know.
func (c *classic) bells(times [][]byte) []field {
	var at []byte
	for i := 0; i < len(times); i += 2 {
		at = append(append(at, times[i]...), ' ')
	}
	return []field{{name: "at", value: at[:len(at)-1], many: true}}
}

func (c *classic) put(texts ...string) {
	for _, t := range texts {
		_, _ = c.WriteString(t)
	}
}

// quote is what a text needs between quotation marks.
var quote = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// plain is a text without what neither notation allows.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}
