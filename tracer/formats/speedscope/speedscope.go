// Package speedscope reads and writes the JSON files of speedscope (J. Wong; src/lib/file-format-spec.ts in github.com/jlfwong/speedscope): a
// table of frames, and profiles that refer to them. A sampled profile is a list of stacks with weights, an evented one a list of
// the instants at which frames open and close.
package speedscope

import (
	"bytes"

	"whorl/tracer"
)

// Kinds are the events that Write has a place for.
var Kinds = tracer.Kinds(tracer.Sample, tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)

// schema is what a file names as the description of its format.
const schema = "https://www.speedscope.app/file-format-schema.json"

// content is a file.
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

// A section is a profile, of either type.
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

// An origin is what Write notes of a profile, since the format has no place for it: the processor, of which other profiles may be too, and what is counted.
type origin struct {
	Processor string `json:"processor"`
	Metric    string `json:"metric"`
	Unit      string `json:"unit"`
	Ways      bool   `json:"ways"` // a frame that opens right before another one is no call, but the way to that one
}

type event struct {
	Type  string  `json:"type"`
	At    float64 `json:"at"`
	Frame int32   `json:"frame"`
}

// Detect says whether a file that begins with head may be of speedscope.
func Detect(head []byte) bool {
	text := bytes.TrimLeft(head, "\ufeff \t\r\n")
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	has := func(s string) bool { return bytes.Contains(text, []byte(s)) }
	return has("speedscope.app/file-format-schema") ||
		has(`"shared"`) && has(`"frames"`) || has(`"profiles"`) && (has(`"evented"`) || has(`"sampled"`))
}
