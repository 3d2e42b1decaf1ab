package tracer

import (
	"bufio"
	"io"
	"strconv"
)

// textMark is the first line of the text form; the number is its version.
const textMark = "whorl 1"

// WriteText writes the trace as text: the line "whorl 1", the head (see AppendMeta), then a line for each event in the order of the scan.
// Fields that are zero and a peer of None are left out. The name of the code follows as a comment:
//
//	1250 Reduce pe=2 task=17 ref=5 peer=0 code=4 value=310 # makeRow/3
//
// Times are those of the event's stream. ReadText reads the same trace back.
func WriteText(w io.Writer, src Source) error {
	out := bufio.NewWriterSize(w, 1<<16)
	b := AppendMeta([]byte(textMark+"\n"), src.Meta())
	streams, ok := src.(StreamSource)
	if !ok {
		streams = oneStream{src}
	}
	for i, s := range streams.Streams() {
		b = AppendStream(b, i, s)
	}
	codes := src.Dict().Codes()
	for id, c := range codes[1:] {
		b = AppendCode(b, uint32(id+1), c)
	}
	for id, c := range src.Dict().Contexts()[1:] {
		b = AppendContext(b, uint32(id+1), c)
	}
	if _, err := out.Write(b); err != nil {
		return err
	}
	err := streams.ScanStreams(AllKinds, func(stream int, es []Event) error {
		for i := range es {
			name := ""
			if c := es[i].Code; int64(c) < int64(len(codes)) {
				name = codes[c].Name
			}
			b = AppendEvent(b[:0], stream, &es[i], name)
			if _, err := out.Write(b); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// AppendEvent appends the line of an event, with name as its comment.
func AppendEvent(b []byte, stream int, e *Event, name string) []byte {
	b = strconv.AppendInt(b, e.Time, 10)
	b = append(append(b, ' '), e.Kind.String()...)
	b = strconv.AppendInt(append(b, " pe="...), int64(e.PE), 10)
	b = appendUint(appendUint(b, "task", e.Task), "ref", e.Ref)
	if e.Peer != None {
		b = strconv.AppendInt(append(b, " peer="...), int64(e.Peer), 10)
	}
	b = appendInt(appendUint(b, "code", uint64(e.Code)), "value", e.Value)
	b = appendInt(b, "stream", int64(stream))
	if name != "" {
		b = append(b, " # "...)
		if plain(name) {
			b = append(b, name...)
		} else {
			b = strconv.AppendQuote(b, name)
		}
	}
	return append(b, '\n')
}

func appendUint(b []byte, key string, value uint64) []byte {
	if value == 0 {
		return b
	}
	b = append(append(append(b, ' '), key...), '=')
	return strconv.AppendUint(b, value, 10)
}

// oneStream presents a Source without streams as a single stream.
type oneStream struct{ Source }

func (s oneStream) Streams() []StreamInfo { return make([]StreamInfo, 1) }

func (s oneStream) ScanStreams(want KindSet, f func(int, []Event) error) error {
	return s.Scan(want, func(es []Event) error { return f(0, es) })
}
