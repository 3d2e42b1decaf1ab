// Package remark defines the comments with which whorl dts reports, in the program that it writes, what it parallelised and
// why it left the rest as it was. A trace has the text of its program, so the report travels with it, and the source
// view marks the lines.
//
// A remark is a comment line of its own, //dts:parallel or //dts:serial and a text. It belongs to the next line that is
// no remark.
package remark

import "strings"

// A Remark reports the treatment of a line.
type Remark struct {
	Parallel bool
	Text     string // what runs in parallel and where it is joined, or the reason why it does not
}

// Words of the comments.
const (
	Parallel = "parallel"
	Serial   = "serial"
)

const prefix = "//dts:"

// String returns the remark as a comment line without its end.
func (r Remark) String() string {
	word := Serial
	if r.Parallel {
		word = Parallel
	}
	return prefix + word + " " + r.Text
}

// Parse returns the remark in a line, and false if the line is none.
func Parse(line string) (Remark, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), prefix)
	if !ok {
		return Remark{}, false
	}
	word, text, _ := strings.Cut(rest, " ")
	return Remark{Parallel: word == Parallel, Text: text}, word == Parallel || word == Serial
}
