package tracer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/nearest"
)

// A Head collects the lines of a trace's head.
type Head struct {
	Meta    Meta
	Dict    *Dict
	Streams []StreamInfo
	Lenient bool // skip unknown lines and fields, which are of a later version

	codes    map[uint32]uint32 // from ids in the lines to ids of Dict, if any differ
	contexts map[uint32]uint32
	renamed  bool // at least one id differs
	inSource bool // text belongs to the last source file
	text     strings.Builder
}

var (
	headWords   = []string{"meta", "arg", "extra", "pe", "source", "stream", "code", "context"}
	metaKeys    = []string{"program", "substrate", "mode", "policy", "network", "machine", "cost", "goal", "clock", "seed", "pes"}
	codeKeys    = []string{"type", "name", "file", "line", "column", "parent", "children", "unit", "scale"}
	contextKeys = []string{"parent", "code"}
	streamKeys  = []string{"name", "clock", "offset"}
	peKeys      = []string{"host", "process", "thread", "coords"}
)

// Line reads one line, without its line feed. It adds entries to h.Dict, which may give them other ids: Code and Context translate.
func (h *Head) Line(line string) error {
	if text, ok := strings.CutPrefix(line, "| "); ok {
		return h.sourceText(text, "\n")
	}
	if quoted, ok := strings.CutPrefix(line, "+="); ok {
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return fmt.Errorf("%s: expected a quoted string", show(quoted))
		}
		return h.sourceText(text)
	}
	word, rest, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	if word == "" || word[0] == '#' {
		return nil
	}
	h.inSource = false
	switch word {
	case "meta":
		return h.meta(rest)
	case "arg":
		var text string
		err := h.fields(rest, "field of arg", []string{"text"}, func(f field) (err error) { text, err = f.text(); return err })
		h.Meta.Args = append(h.Meta.Args, text)
		return err
	case "extra":
		var kv KV
		err := h.fields(rest, "field of extra", []string{"key", "value"}, func(f field) (err error) {
			if f.key == "key" {
				kv.Key, err = f.text()
			} else {
				kv.Value, err = f.text()
			}
			return err
		})
		h.Meta.Extra = append(h.Meta.Extra, kv)
		return err
	case "source":
		var name string
		err := h.fields(rest, "field of source", []string{"name"}, func(f field) (err error) { name, err = f.text(); return err })
		h.Meta.Source = append(h.Meta.Source, SourceFile{Name: name})
		h.inSource = true
		h.text = strings.Builder{}
		return err
	case "pe", "stream", "code", "context":
		number, rest, _ := strings.Cut(rest, " ")
		n, err := strconv.ParseUint(number, 10, 32)
		if err != nil {
			return fmt.Errorf("%s %s: expected a number after it", word, show(number))
		}
		switch word {
		case "pe":
			return h.pe(n, rest)
		case "stream":
			return h.stream(n, rest)
		case "code":
			return h.code(uint32(n), rest)
		}
		return h.context(uint32(n), rest)
	}
	if h.Lenient {
		return nil
	}
	return nearest.Unknown("line", word, headWords)
}

// Code returns the id in h.Dict of the entry with the given id in the lines, or id itself if the lines have no such entry.
func (h *Head) Code(id uint32) uint32 { return mapped(h.codes, id) }

// Context is like Code, for calling contexts.
func (h *Head) Context(id uint32) uint32 { return mapped(h.contexts, id) }

// Translates reports whether Code or Context changes any id.
func (h *Head) Translates() bool { return h.renamed }

func mapped(m map[uint32]uint32, id uint32) uint32 {
	if to, ok := m[id]; ok {
		return to
	}
	return id
}

func (h *Head) sourceText(parts ...string) error {
	if !h.inSource {
		return fmt.Errorf("source text without a source line")
	}
	for _, s := range parts {
		h.text.WriteString(s)
	}
	h.Meta.Source[len(h.Meta.Source)-1].Text = h.text.String() // shares the builder's memory
	return nil
}

func (h *Head) meta(rest string) error {
	m := &h.Meta
	return h.fields(rest, "field of meta", metaKeys, func(f field) (err error) {
		switch f.key {
		case "seed":
			m.Seed, err = f.uint(64)
			return err
		case "pes":
			var n int64
			n, err = f.int(32)
			m.PEs = int(n)
			return err
		}
		to := map[string]*string{
			"program": &m.Program, "substrate": &m.Substrate, "mode": &m.Mode, "policy": &m.Policy, "network": &m.Network,
			"machine": &m.Machine, "cost": &m.CostModel, "goal": &m.Goal, "clock": &m.Clock,
		}[f.key]
		*to, err = f.text()
		return err
	})
}

func (h *Head) pe(n uint64, rest string) error {
	if n != uint64(len(h.Meta.PEInfo)) {
		return fmt.Errorf("pe %d: expected pe %d, the next in order", n, len(h.Meta.PEInfo))
	}
	var p PE
	err := h.fields(rest, "field of pe", peKeys, func(f field) (err error) {
		switch f.key {
		case "host":
			p.Host, err = f.text()
		case "process":
			p.Process, err = f.text()
		case "thread":
			p.Thread, err = f.text()
		case "coords":
			p.Coords, err = f.list()
		}
		return err
	})
	h.Meta.PEInfo = append(h.Meta.PEInfo, p)
	return err
}

func (h *Head) stream(n uint64, rest string) error {
	if n != uint64(len(h.Streams)) {
		return fmt.Errorf("stream %d: expected stream %d, the next in order", n, len(h.Streams))
	}
	var s StreamInfo
	err := h.fields(rest, "field of stream", streamKeys, func(f field) (err error) {
		switch f.key {
		case "name":
			s.Name, err = f.text()
		case "clock":
			s.Clock, err = f.text()
		case "offset":
			s.Offset, err = f.int(64)
		}
		return err
	})
	if err == nil {
		h.Streams = append(h.Streams, s)
	}
	return err
}

func (h *Head) code(id uint32, rest string) error {
	var c Code
	var parent uint32
	err := h.fields(rest, "field of code", codeKeys, func(f field) (err error) {
		switch f.key {
		case "type":
			c.Type, err = codeTypeNamed(f.value)
		case "name":
			c.Name, err = f.text()
		case "file":
			c.File, err = f.text()
		case "unit":
			c.Unit, err = f.text()
		case "line":
			c.Line, err = f.int32()
		case "column":
			c.Column, err = f.int32()
		case "children":
			c.Children, err = f.int32()
		case "parent":
			parent, err = f.uint32()
		case "scale":
			c.Scale, err = f.number()
		}
		return err
	})
	if err != nil {
		return err
	}
	if _, ok := h.codes[parent]; parent != 0 && !ok {
		return fmt.Errorf("parent=%d: no such code before it", parent)
	}
	c.Parent = h.Code(parent)
	return h.assign(&h.codes, "code", id, h.Dict.Add(c))
}

func (h *Head) context(id uint32, rest string) error {
	var c Context
	var parent uint32
	err := h.fields(rest, "field of context", contextKeys, func(f field) (err error) {
		switch f.key {
		case "parent":
			parent, err = f.uint32()
		case "code":
			c.Code, err = f.uint32()
			c.Code = h.Code(c.Code)
		}
		return err
	})
	if err != nil {
		return err
	}
	if _, ok := h.contexts[parent]; parent != 0 && !ok {
		return fmt.Errorf("parent=%d: no such context before it", parent)
	}
	c.Parent = h.Context(parent)
	return h.assign(&h.contexts, "context", id, h.Dict.AddContext(c))
}

func (h *Head) assign(m *map[uint32]uint32, what string, id, to uint32) error {
	if old, ok := (*m)[id]; id == 0 || ok && old != to {
		return fmt.Errorf("%s %d: expected a number above 0 that is not used yet", what, id)
	}
	if *m == nil {
		*m = map[uint32]uint32{}
	}
	(*m)[id] = to
	h.renamed = h.renamed || id != to
	return nil
}

// fields calls set with each field of the line.
func (h *Head) fields(line, what string, known []string, set func(field) error) error {
	for {
		f, rest, err := cutField(line)
		if err != nil || f.key == "" {
			return err
		}
		if !slices.Contains(known, f.key) {
			if h.Lenient {
				line = rest
				continue
			}
			return nearest.Unknown(what, f.key, known)
		}
		if err := set(f); err != nil {
			return err
		}
		line = rest
	}
}
