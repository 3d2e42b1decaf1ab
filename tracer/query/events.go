package query

import (
	"path"
	"strings"

	"whorl/tracer"
)

// Events returns the schema of the events of a trace with a dictionary. The rows must be events of that trace; events with codes added to
// the dictionary later have no procedure and no line. The depth of an event is not known from the event alone; add a field for it.
func Events(dict *tracer.Dict) Schema[*tracer.Event] {
	code := func(e *tracer.Event) int64 { return int64(e.Code) }
	fields := []Field[*tracer.Event]{
		{Name: "kind", Doc: "kind of the event: Reduce, Send, ...", Type: Text, Int: func(e *tracer.Event) int64 { return int64(e.Kind) }, Texts: kindNames()},
		{Name: "pe", Doc: "PE on which it happened", Int: func(e *tracer.Event) int64 { return int64(e.PE) }},
		{Name: "peer", Doc: "the other PE, -1 for none", Int: func(e *tracer.Event) int64 { return int64(e.Peer) }},
		{Name: "task", Doc: "task to which it happened", Int: func(e *tracer.Event) int64 { return int64(e.Task) }},
		{Name: "parent", Doc: "task that created the task of a Fork, Reduce, Suspend or Fail; 0 for none", Int: parent},
		{Name: "begin", Doc: "time of the event", Type: Time, Int: func(e *tracer.Event) int64 { return e.Time }},
		{Name: "end", Doc: "time of the event and its cost", Type: Time, Int: func(e *tracer.Event) int64 { return e.Time + cost(e) }},
		{Name: "time", Doc: "cost of a Reduce, Suspend or Fail; 0 for other kinds", Type: Time, Int: cost},
		{Name: "value", Doc: "measure of the event, in the unit of its kind", Int: func(e *tracer.Event) int64 { return e.Value }},
	}
	return Schema[*tracer.Event]{Rows: "events", Fields: append(fields, CodeFields(dict, code)...)}
}

func kindNames() (names []string) {
	for k := range tracer.NumKinds {
		names = append(names, k.String())
	}
	return names
}

func cost(e *tracer.Event) int64 {
	if tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail).Contains(e.Kind) {
		return e.Value
	}
	return 0
}

func parent(e *tracer.Event) int64 {
	if tracer.Kinds(tracer.Fork, tracer.Reduce, tracer.Suspend, tracer.Fail).Contains(e.Kind) {
		return int64(e.Ref)
	}
	return 0
}

// CodeFields returns the fields of rows that have a code of a dictionary: procedure, line, and file, which are empty for codes that are no
// part of a program, and name.
func CodeFields[R any](dict *tracer.Dict, code func(row R) int64) []Field[R] {
	codes := dict.Codes()
	names, procedures, files, lines := make([]string, len(codes)), make([]string, len(codes)), make([]string, len(codes)), make([]int32, len(codes))
	for i, c := range codes {
		if names[i] = c.Name; c.Type < tracer.Procedure || c.Type > tracer.Instruction {
			continue
		}
		owner := c
		if id := tracer.Owner(codes, uint32(i)); id != 0 {
			owner = codes[id]
		}
		procedures[i] = owner.Name
		for c.Line == 0 && c.Parent != 0 { // an instruction has the line that it belongs to
			c = codes[c.Parent]
		}
		if files[i], lines[i] = c.File, c.Line; files[i] == "" {
			files[i] = owner.File
		}
	}
	return []Field[R]{
		{Name: "procedure", Doc: "name of the procedure or function, with or without its arity", Type: Text, Int: code, Texts: procedures, Short: withoutArity},
		{Name: "line", Doc: `source line: 12, or "lu.hpf":12`, Type: Place, Int: code, Texts: files, Lines: lines, Short: path.Base},
		{Name: "file", Doc: "source file, with or without its folder", Type: Text, Int: code, Texts: files, Short: path.Base},
		{Name: "name", Doc: "name of the code: a reason, a metric, a class of messages or a procedure", Type: Text, Int: code, Texts: names, Short: withoutArity},
	}
}

// withoutArity returns the name of a procedure of a logic program without its arity.
func withoutArity(name string) string {
	i := strings.LastIndexByte(name, '/')
	if i < 0 || i+1 == len(name) || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}
