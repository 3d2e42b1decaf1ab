package open

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats"
)

// Whorl's own formats. The functions of whorl are in package store.
var (
	whorl = formats.Format{
		Name: "whorl", Doc: "the trace file of Whorl: compact, readable while it grows and after a crash", Ext: ".whorl", Holds: tracer.AllKinds,
	}
	text = formats.Format{
		Name: "text", Doc: "the text form of the trace file: a line for each event", Ext: ".txt", Holds: tracer.AllKinds,
		Detect: func(head []byte) bool { return bytes.HasPrefix(head, []byte("whorl 1")) },
		Read:   func(r io.Reader, rec tracer.Recorder, _ formats.Options) error { return tracer.ReadText(r, rec) },
		Write:  tracer.WriteText,
	}
)

// Formats lists the trace formats: Whorl's own two, then those of other programs.
func Formats() []formats.Format { return append([]formats.Format{whorl, text}, formats.All...) }

// FormatNames returns the names of Formats.
func FormatNames() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// find returns the format of a name.
func find(name string) (formats.Format, bool) {
	all := Formats()
	i := slices.IndexFunc(all, func(f formats.Format) bool { return f.Name == name })
	if i < 0 {
		return formats.Format{}, false
	}
	return all[i], true
}

// An UnknownFormatError reports a file that is not a trace of a known format.
type UnknownFormatError struct {
	Path string
	Head []byte // the beginning of the file; empty for an empty file
}

func (e *UnknownFormatError) Error() string {
	if len(e.Head) == 0 {
		return e.Path + ": not a trace: the file is empty"
	}
	if remedy := remedyFor(e.Head); remedy != "" {
		return e.Path + ": not a trace: " + remedy
	}
	return fmt.Sprintf("%s: not a trace of a known format (%s): it begins with %q; --from names the format of a file that is not recognised", e.Path, strings.Join(FormatNames(), " "), e.Head[:min(len(e.Head), 16)])
}

// detect returns the format of a file that is not a .whorl file: by its beginning, or else by its extension, so that the reader of that format
// reports the error. Only then formats guess.
func detect(path string, head []byte) (formats.Format, error) {
	if f, ok := detectHead(head); ok {
		return f, nil
	}
	for _, f := range formats.All {
		if len(head) > 0 && strings.HasSuffix(path, f.Ext) {
			return f, nil
		}
	}
	if remedyFor(head) == "" {
		for _, f := range formats.All {
			if f.Guess != nil && f.Guess(head) {
				return f, nil
			}
		}
	}
	return formats.Format{}, &UnknownFormatError{path, head}
}

// detectHead returns the format of a file that begins with head and is not a .whorl file.
func detectHead(head []byte) (formats.Format, bool) {
	for _, f := range Formats()[1:] {
		if f.Detect(head) {
			return f, true
		}
	}
	return formats.Format{}, false
}

// FormatOf returns the name of the format of a trace file, "" for a file that is not a trace.
func FormatOf(path string) string {
	f, err := openFile(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	_, head, err := unpacked(f, detects)
	switch {
	case err != nil:
		return ""
	case !foreign(head):
		return whorl.Name
	}
	format, _ := detectHead(head)
	return format.Name
}

// IsEvents reports whether a file or a folder has the events of a real program, in a format of another program.
func IsEvents(path string) bool {
	name, _ := fileIn(path)
	f, _ := detectHead(headOf(name))
	return f.Events
}

// headSize is the number of bytes at the beginning of a file by which its format is detected.
const headSize = 4096

// headOf returns the beginning of the contents of a regular file, packed or not, nil for a file that cannot be read or that can be read only once, such as a pipe.
func headOf(path string) []byte {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	f, err := openFile(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	_, head, err := unpacked(f, detects)
	if err != nil {
		return nil
	}
	return head
}
