// Package firefox reads the profiles of the Firefox Profiler in its processed form, as profiler.firefox.com saves them and as samply and other programs
// write them. Its documentation is docs-developer/processed-profile-format.md and CHANGELOG-formats.md in github.com/firefox-devtools/profiler.
//
// A file has the tables of each thread as columns: samples refer to stacks, stacks to frames and to the stacks of their callers, frames to functions.
// From version 56 on the strings, from 58 on the sources, and from 60 on all tables but the samples belong to all threads.
package firefox

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"whorl/internal/jsonscan"
	"whorl/tracer/formats/jsonfile"
)

// content is the content of a file.
type content struct {
	Meta struct {
		Interval  float64 `json:"interval"`
		Start     float64 `json:"startTime"` // Unix time in ms
		Product   string  `json:"product"`
		Version   float64 `json:"preprocessedProfileVersion"`
		Units     units   `json:"sampleUnits"`
		Processed *bool   `json:"symbolicated"`
	} `json:"meta"`
	Libs    []library `json:"libs"`
	Shared  tables    `json:"shared"`
	Threads []thread  `json:"threads"`
}

type units struct {
	CPU  string `json:"threadCPUDelta"`
	Time string `json:"time"`
}

// A library is a program or a library.
type library struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	CodeID string `json:"codeId"`
}

// tables are those of a thread or, in newer versions, of all threads.
type tables struct {
	Strings     []string `json:"stringArray"`
	StringTable struct {
		Strings []string `json:"_array"`
	} `json:"stringTable"`
	Stacks struct {
		Frame  jsonfile.Numbers `json:"frame"`
		Prefix jsonfile.Numbers `json:"prefix"`
	} `json:"stackTable"`
	Frames struct {
		Func    jsonfile.Numbers `json:"func"`
		Line    jsonfile.Numbers `json:"line"`
		Column  jsonfile.Numbers `json:"column"`
		Address jsonfile.Numbers `json:"address"`
		Inline  jsonfile.Numbers `json:"inlineDepth"`
	} `json:"frameTable"`
	Funcs struct {
		Name     jsonfile.Numbers `json:"name"`
		File     jsonfile.Numbers `json:"fileName"`
		Source   jsonfile.Numbers `json:"source"`
		Line     jsonfile.Numbers `json:"lineNumber"`
		Resource jsonfile.Numbers `json:"resource"`
	} `json:"funcTable"`
	Resources struct {
		Lib jsonfile.Numbers `json:"lib"`
	} `json:"resourceTable"`
	Sources struct {
		Name jsonfile.Numbers `json:"filename"`
	} `json:"sources"`
	Libs []library `json:"libs"` // of older versions
}

// A thread is a thread with its samples.
type thread struct {
	tables
	Name        string  `json:"name"`
	Process     string  `json:"processName"`
	ProcessType string  `json:"processType"`
	PID         label   `json:"pid"`
	TID         label   `json:"tid"`
	Samples     samples `json:"samples"`
	JS          samples `json:"jsAllocations"`
	Native      samples `json:"nativeAllocations"`
	Markers     struct {
		Name jsonfile.Numbers `json:"name"`
	} `json:"markers"`
}

// samples have a stack, a time in ms, and perhaps a weight each.
type samples struct {
	Stack  jsonfile.Numbers `json:"stack"`
	Time   jsonfile.Numbers `json:"time"`
	Deltas jsonfile.Numbers `json:"timeDeltas"` // times from the sample before, in place of times
	Weight jsonfile.Numbers `json:"weight"`
	Type   string           `json:"weightType"`
	CPU    jsonfile.Numbers `json:"threadCPUDelta"`
}

// A label is a number or a text.
type label string

// UnmarshalJSON reads a number or a text.
func (l *label) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil && !bytes.Equal(b, []byte("null")) {
		text = string(b)
	}
	*l = label(text)
	return nil
}

// strings returns the strings to which a table refers.
func (t *tables) strings() []string {
	if t.Strings != nil {
		return t.Strings
	}
	return t.StringTable.Strings
}

// name returns the string of a number in a column, "" for none.
func (t *tables) name(column jsonfile.Numbers, i int) string {
	all := t.strings()
	if k := column.Index(i, len(all)); k >= 0 {
		return strings.ToValidUTF8(all[k], "\ufffd")
	}
	return ""
}

// over returns the tables of a thread, with those of all threads in place of absent ones.
func (t *tables) over(shared *tables) tables {
	all := *t
	if all.strings() == nil {
		all.Strings = shared.strings()
	}
	if all.Stacks.Frame == nil {
		all.Stacks = shared.Stacks
	}
	if all.Frames.Func == nil {
		all.Frames = shared.Frames
	}
	if all.Funcs.Name == nil {
		all.Funcs = shared.Funcs
	}
	if all.Resources.Lib == nil {
		all.Resources = shared.Resources
	}
	all.Sources = shared.Sources
	return all
}

// Detect reports whether a file that begins with head may be a profile of the Firefox Profiler.
func Detect(head []byte) bool {
	b := jsonscan.Start(head)
	contains := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	return len(b) > 0 && b[0] == '{' && (contains(`"preprocessedProfileVersion"`) ||
		contains(`"meta"`) && contains(`"interval"`) && (contains(`"stackwalk"`) || contains(`"processType"`) || contains(`"markerSchema"`)))
}

// path returns the path of a library.
func (l *library) path() string { return cmp.Or(l.Path, l.Name) }
