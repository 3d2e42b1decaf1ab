package tracer

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The head of a trace holds everything but its events, as lines of text. The text form begins with them, and the dictionary blocks of a
// file hold them. A line is a keyword and fields key=value. A value is an integer, a number or a quoted Go string. Fields that are zero
// are left out. # begins a comment.
//
//	meta program="fghc/pascal" policy="on-demand" seed=1 pes=5 clock="virtual"
//	arg text="35"
//	extra key="note" value="after the collector was rewritten"
//	pe 0 host="alpha" process="412" thread="worker 3" coords=0,1
//	source name="pascal.fghc"
//	| go(N, R) :- true | makeRows(1, N, [[1,0]], R).
//	stream 0 name="sim" offset=0
//	code 1 type="procedure" name="go/2" file="pascal.fghc" line=1 column=1
//	context 1 parent=0 code=1
//
// A line that begins with "| " is a line of the source file above it. A source line without a line feed, or with unprintable characters,
// is written as += and a quoted string.

// AppendMeta appends the lines of m.
func AppendMeta(b []byte, m Meta) []byte {
	b = append(b, "meta"...)
	for _, f := range []struct{ key, value string }{
		{"program", m.Program},
		{"substrate", m.Substrate},
		{"mode", m.Mode},
		{"policy", m.Policy},
		{"network", m.Network},
		{"machine", m.Machine},
		{"cost", m.CostModel},
		{"goal", m.Goal},
		{"clock", m.Clock},
	} {
		b = appendString(b, f.key, f.value)
	}
	if m.Seed != 0 {
		b = strconv.AppendUint(append(b, " seed="...), m.Seed, 10)
	}
	b = append(appendInt(b, "pes", int64(m.PEs)), '\n')
	for _, a := range m.Args {
		b = append(appendString(append(b, "arg"...), "text", a), '\n')
	}
	for _, kv := range m.Extra {
		b = append(appendString(appendString(append(b, "extra"...), "key", kv.Key), "value", kv.Value), '\n')
	}
	for i, p := range m.PEInfo {
		b = strconv.AppendInt(append(b, "pe "...), int64(i), 10)
		b = appendString(appendString(appendString(b, "host", p.Host), "process", p.Process), "thread", p.Thread)
		for j, c := range p.Coords {
			sep := ","
			if j == 0 {
				sep = " coords="
			}
			b = strconv.AppendInt(append(b, sep...), int64(c), 10)
		}
		b = append(b, '\n')
	}
	for _, s := range m.Source {
		b = append(appendString(append(b, "source"...), "name", s.Name), '\n')
		b = appendText(b, s.Text)
	}
	return b
}

// AppendStream appends the line of stream number i.
func AppendStream(b []byte, i int, s StreamInfo) []byte {
	b = strconv.AppendInt(append(b, "stream "...), int64(i), 10)
	b = appendString(appendString(b, "name", s.Name), "clock", s.Clock)
	return append(appendInt(b, "offset", s.Offset), '\n')
}

// AppendCode appends the line of a code entry.
func AppendCode(b []byte, id uint32, c Code) []byte {
	b = strconv.AppendUint(append(b, "code "...), uint64(id), 10)
	b = appendString(b, "type", c.Type.String())
	b = appendString(appendString(b, "name", c.Name), "file", c.File)
	b = appendInt(appendInt(b, "line", int64(c.Line)), "column", int64(c.Column))
	b = appendInt(appendInt(b, "parent", int64(c.Parent)), "children", int64(c.Children))
	b = appendString(b, "unit", c.Unit)
	if c.Scale != 0 {
		b = strconv.AppendFloat(append(b, " scale="...), c.Scale, 'g', -1, 64)
	}
	return append(b, '\n')
}

// AppendContext appends the line of a calling context.
func AppendContext(b []byte, id uint32, c Context) []byte {
	b = strconv.AppendUint(append(b, "context "...), uint64(id), 10)
	return append(appendInt(appendInt(b, "parent", int64(c.Parent)), "code", int64(c.Code)), '\n')
}

func appendString(b []byte, key, value string) []byte {
	if value == "" {
		return b
	}
	b = append(append(append(b, ' '), key...), '=')
	return strconv.AppendQuote(b, value)
}

func appendInt(b []byte, key string, value int64) []byte {
	if value == 0 {
		return b
	}
	b = append(append(append(b, ' '), key...), '=')
	return strconv.AppendInt(b, value, 10)
}

func appendText(b []byte, text string) []byte {
	for text != "" {
		line, rest, ended := strings.Cut(text, "\n")
		if ended && plain(line) {
			b = append(append(append(b, "| "...), line...), '\n')
		} else {
			b = strconv.AppendQuote(append(b, "+="...), text[:len(text)-len(rest)])
			b = append(b, '\n')
		}
		text = rest
	}
	return b
}

// plain reports whether a source line can be written without quotes.
func plain(line string) bool {
	if !utf8.ValidString(line) {
		return false
	}
	for _, r := range line {
		if r != '\t' && !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}
