package experiment

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/store"
)

// MaxRead is the longest trace that OpenReader takes, in bytes: all of it lies in memory then.
const MaxRead = 1 << 30

// OpenPartial is Open for those who look at a trace whatever its state: one that is damaged opens with what comes before the damage, and
// Missing says so. What is no file, such as a pipe or a folder without logs, is refused at once, for the trace is read more than once.
func OpenPartial(path string) (*Trace, error) {
	if isFolderOfLogs(path) {
		return Open(path)
	}
	if err := RegularFile(path); err != nil {
		return nil, err
	}
	t, err := Open(path)
	if err == nil {
		if err = t.Verify(); err == nil {
			return t, nil
		}
		err = &InputError{path + ": " + err.Error()}
		t.Close()
	}
	f, failed := os.Open(path)
	if failed != nil {
		return nil, err
	}
	defer f.Close()
	if part, failed := OpenReader(path, f); failed == nil {
		return part, nil
	}
	return nil, err
}

// RegularFile is an error unless there is a file that can be read more than once at path.
func RegularFile(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return noTrace(path, err)
	}
	if kind := kindOfFile(info.Mode()); kind != "" {
		return &InputError{path + ": " + kind + ", not a file"}
	}
	return nil
}

// kindOfFile names what is no regular file, "" for one that is.
func kindOfFile(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return ""
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}

// OpenReader is Open for a trace that comes as bytes and not from the file system; name is the one that errors give. A trace of Whorl that
// is damaged, or ends too early, opens with what came before, and Missing says so.
func OpenReader(name string, r io.Reader) (*Trace, error) {
	counted := &io.LimitedReader{R: r, N: MaxRead + 1}
	b := bufio.NewReaderSize(counted, 1<<16)
	head, err := b.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, &InputError{name + ": " + err.Error()}
	}
	var t *Trace
	if other := new(store.ForeignError); len(head) == 0 || errors.As(probe(head), &other) {
		var format string
		if format, err = detect(name, head); err != nil {
			return nil, err
		}
		t, err = readForeign(name, format, b)
	} else {
		t, err = readWhorl(name, b)
	}
	if counted.N == 0 {
		return nil, &InputError{fmt.Sprintf("%s: longer than the %s bytes that can be read into memory", name, figures.Count(MaxRead))}
	}
	if err != nil {
		return nil, err
	}
	return t.aligned()
}

// probe says what is wrong with the beginning of a trace.
func probe(head []byte) error {
	_, err := store.NewGrowing().Write(head)
	return err
}

// readWhorl reads a trace of Whorl. The error is for one of which there is nothing, or that could not be read to its end.
func readWhorl(name string, r io.Reader) (*Trace, error) {
	g := store.NewGrowing()
	_, err := io.Copy(g, r)
	if damage := new(store.DamageError); err != nil && (!errors.As(err, &damage) || g.Counts() == [tracer.NumKinds]int64{}) {
		return nil, &InputError{name + ": " + err.Error()}
	}
	missing := g.Missing().String()
	if err != nil {
		missing = err.Error()
	}
	return &Trace{StreamSource: g, Path: name, Missing: missing}, nil
}
