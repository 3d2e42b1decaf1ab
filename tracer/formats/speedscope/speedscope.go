// Package speedscope reads and writes the JSON files of speedscope (J. Wong; src/lib/file-format-spec.ts in github.com/jlfwong/speedscope): a
// table of frames, and profiles that refer to it. A sampled profile is a list of stacks with weights. An evented profile is a list of
// the instants at which frames open and close.
package speedscope

import (
	"bytes"

	"whorl/tracer"
)

// Kinds are the kinds of events that Write writes.
var Kinds = tracer.Kinds(tracer.Sample, tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)

// schema is the schema that a file names.
const schema = "https://www.speedscope.app/file-format-schema.json"

// content is the content of a file.
type content struct {
	Schema   string    `json:"$schema,omitempty"`
	Name     string    `json:"name,omitempty"`
	Exporter string    `json:"exporter,omitempty"`
	Shared   shared    `json:"shared"`
	Profiles []section `json:"profiles"`
}

type shared struct {
	Frames []frame `json:"frames"`
}

type frame struct {
	Name string  `json:"name"`
	File string  `json:"file,omitempty"`
	Line float64 `json:"line,omitempty"`
	Col  float64 `json:"col,omitempty"`
}

// A section is a sampled or an evented profile.
type section struct {
	Type    string    `json:"type"`
	Name    string    `json:"name"`
	Unit    string    `json:"unit"`
	Start   float64   `json:"startValue"`
	End     float64   `json:"endValue"`
	Samples [][]int32 `json:"samples"`
	Weights []float64 `json:"weights"`
	Events  []event   `json:"events"`

	Whorl *origin `json:"whorl"`
}

// An origin is Whorl's addition to a profile: its processor, which several profiles may share, and its metric.
type origin struct {
	Processor string `json:"processor"`
	Metric    string `json:"metric"`
	Unit      string `json:"unit"`
	Ways      bool   `json:"ways"` // a frame that opens right before another is the way to it and not a call
}

type event struct {
	Type  string  `json:"type"`
	Time  float64 `json:"at"`
	Frame int32   `json:"frame"`
}

// Detect reports whether a file that begins with head may be a speedscope file.
func Detect(head []byte) bool {
	text := bytes.TrimLeft(head, "\ufeff \t\r\n")
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	contains := func(s string) bool { return bytes.Contains(text, []byte(s)) }
	return contains("speedscope.app/file-format-schema") ||
		contains(`"shared"`) && contains(`"frames"`) || contains(`"profiles"`) && (contains(`"evented"`) || contains(`"sampled"`))
}
