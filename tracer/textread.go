package tracer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/lines"
	"whorl/internal/nearest"
)

// maxLine is the longest line that ReadText accepts, in bytes.
const maxLine = 64 << 20

// A TextError is an error in a line of a text. Lines count from 1.
type TextError struct {
	Line int
	Err  error
}

func (e *TextError) Error() string { return "line " + strconv.Itoa(e.Line) + ": " + e.Err.Error() }

// Unwrap returns the error without the line number.
func (e *TextError) Unwrap() error { return e.Err }

// ReadText reads a trace in the text form into rec, which stays open. Its errors are *TextErrors or come from r. If rec already holds
// entries or streams, ids and stream numbers are translated. A text with a single stream may leave out the stream line. After an event, a last line that
// is wrong and has no end is no error: the file is cut, and the metadata say so.
func ReadText(r io.Reader, rec Recorder) error {
	t := textReader{rec: rec, head: Head{Dict: rec.Dict()}}
	tail := lines.Tail{R: r}
	in := bufio.NewScanner(&tail)
	in.Buffer(nil, maxLine)
	n := 0
	for in.Scan() {
		n++
		if err := t.line(n, in.Text()); err != nil {
			if !t.begun || !tail.Cut(in) {
				return &TextError{n, err}
			}
			t.head.Meta.lacks(fmt.Sprintf("the rest from line %d on: the line is cut: %v", n, err))
			rec.SetMeta(t.head.Meta)
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return &TextError{n + 1, errors.New("the line is longer than " + figures.Size(maxLine))}
	} else if err != nil {
		return err
	}
	if n == 0 {
		return &TextError{1, fmt.Errorf("the text is empty; expected %q", textMark)}
	}
	if !t.metaSet {
		rec.SetMeta(t.head.Meta)
	}
	for _, s := range t.streams {
		s.Sync()
	}
	return nil
}

type textReader struct {
	rec     Recorder
	head    Head
	streams []*Stream
	last    []int64 // time of each stream's last event
	metaSet bool
	begun   bool // there has been an event
}

func (t *textReader) line(n int, line string) error {
	if n == 1 {
		if strings.TrimRight(line, " \t\r") != textMark {
			return fmt.Errorf("%s: expected %q", show(line), textMark)
		}
		return nil
	}
	if line == "" || line[0] != '-' && (line[0] < '0' || line[0] > '9') {
		if err := t.head.Line(line); err != nil {
			return err
		}
		for i := len(t.streams); i < len(t.head.Streams); i++ {
			t.open(t.head.Streams[i])
		}
		return nil
	}
	if !t.metaSet { // before the first event, so that a reader of the growing trace has it
		t.metaSet = true
		t.rec.SetMeta(t.head.Meta)
	}
	e, stream, err := parseEvent(line)
	if err != nil {
		return err
	}
	if stream == 0 && len(t.streams) == 0 {
		t.head.Streams = append(t.head.Streams, StreamInfo{})
		t.open(StreamInfo{})
	}
	if stream >= uint64(len(t.streams)) {
		return fmt.Errorf("stream=%d: no stream line has this number", stream)
	}
	if e.Time < t.last[stream] {
		return fmt.Errorf("time %d follows %d in the same stream", e.Time, t.last[stream])
	}
	t.last[stream] = e.Time
	e.Code = t.head.Code(e.Code)
	if e.Kind == Sample && e.Ref <= 1<<32-1 {
		e.Ref = uint64(t.head.Context(uint32(e.Ref)))
		if e.Peer > 0 {
			e.Peer = int32(t.head.Context(uint32(e.Peer)))
		}
	}
	*t.streams[stream].Slot() = e
	t.begun = true
	return nil
}

func (t *textReader) open(info StreamInfo) {
	t.streams = append(t.streams, t.rec.Stream(info))
	t.last = append(t.last, -1<<63)
}

func parseEvent(line string) (e Event, stream uint64, err error) {
	number, rest, _ := strings.Cut(line, " ")
	e.Time, err = strconv.ParseInt(number, 10, 64)
	if err != nil {
		return e, 0, fmt.Errorf("%s: expected a time in ns", show(number))
	}
	kind, rest, _ := strings.Cut(rest, " ")
	if e.Kind, err = parseKind(kind); err != nil {
		return e, 0, err
	}
	e.Peer = None
	for {
		f, after, err := cutField(rest)
		if err != nil || f.key == "" {
			return e, stream, err
		}
		rest = after
		switch f.key {
		case "pe":
			e.PE, err = f.int32()
		case "task":
			e.Task, err = f.uint(64)
		case "ref":
			e.Ref, err = f.uint(64)
		case "peer":
			e.Peer, err = f.int32()
		case "code":
			e.Code, err = f.uint32()
		case "value":
			e.Value, err = f.int(64)
		case "stream":
			stream, err = f.uint(31)
		default:
			err = nearest.Unknown("field of an event", f.key, []string{"pe", "task", "ref", "peer", "code", "value", "stream"})
		}
		if err != nil {
			return e, 0, err
		}
	}
}

// parseKind returns the kind with a name as Kind.String writes it.
func parseKind(s string) (Kind, error) {
	if k, ok := KindNamed(s); ok {
		return k, nil
	}
	if s == KindInvalid.String() {
		return KindInvalid, nil
	}
	if number, ok := strings.CutPrefix(s, "Kind("); ok {
		if n, err := strconv.ParseUint(strings.TrimSuffix(number, ")"), 10, 8); err == nil {
			return Kind(n), nil
		}
	}
	return 0, nearest.Unknown("kind of event", s, kindNames[1:])
}
