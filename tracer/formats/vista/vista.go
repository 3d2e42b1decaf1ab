// Package vista reads and writes the trace file of VISTA, the first kaleidoscope (E. Tick and D.-Y. Park, "Kaleidescope Visualization of
// Fine-Grain Parallel Programs", University of Oregon, CIS-TR-91-18, 1991, Figure 4). The file is text: the number PEmax on the first line, then
// a line for each reduction, in the order of time:
//
//	time clause# pe index ppe pindex
//
// time is the begin of the reduction in ms, rounded down. clause# is the number of the clause in the source program, from 1. pe is the PE, and
// index is the number of the reduction on the PE, from 1. ppe and pindex identify the parent; the query has the parent 0 0.
//
// The file has neither the costs of reductions nor the order of the goals in a body: siblings are in the order of their records.
package vista

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
)

const msec = 1_000_000 // ns

// mostPEs bounds PEmax, as on the largest machine that traces support.
const mostPEs = 1 << 20

// Clauses returns the clauses of a code table in the order of the source program. VISTA numbers them from 1 in this order: by line and column within a
// file, files in order of appearance, clauses without a source position in the order of their entries.
func Clauses(d *tracer.Dict) []uint32 {
	codes := d.Codes()
	files := map[string]int{}
	var ids []uint32
	for id, c := range codes {
		if c.Type != tracer.Clause {
			continue
		}
		ids = append(ids, uint32(id))
		if _, ok := files[c.File]; !ok {
			files[c.File] = len(files)
		}
	}
	slices.SortStableFunc(ids, func(a, b uint32) int {
		x, y := &codes[a], &codes[b]
		return cmp.Or(cmp.Compare(files[x.File], files[y.File]), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	return ids
}

// anonymous returns the name of clause n of an unknown program. numberOf parses the name, so that the clause keeps its number.
func anonymous(n int64) string { return "clause " + strconv.FormatInt(n, 10) }

func numberOf(c *tracer.Code) (int64, bool) {
	digits, ok := strings.CutPrefix(c.Name, "clause ")
	if !ok || c.File != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && n > 0 && anonymous(n) == c.Name
}

// An Error describes an error in a file and its line.
type Error struct {
	Line int // from 1
	Msg  string
	Want string
}

func (e *Error) Error() string {
	return fmt.Sprintf("vista: line %d: %s: expected %s", e.Line, e.Msg, e.Want)
}

// Detect reports whether a file that begins with head may be a VISTA trace: a line of one number, then lines of six. A file of a single number is not
// a trace: files with the number of a process look like that.
func Detect(head []byte) bool {
	lines := strings.Split(string(head), "\n")
	whole := lines[:len(lines)-1] // the last line may be truncated
	if len(whole) == 0 || strings.TrimSpace(strings.Join(lines[1:], "")) == "" {
		return false
	}
	for i, line := range whole {
		fields := strings.Fields(line)
		if i == 0 && len(fields) != 1 || i > 0 && len(fields) != 6 && len(fields) != 0 {
			return false
		}
		for _, f := range fields {
			if strings.Trim(f, "0123456789") != "" {
				return false
			}
		}
	}
	return true
}
