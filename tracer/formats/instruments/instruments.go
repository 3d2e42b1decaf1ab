// Package instruments reads the tables of samples that Apple's xctrace exports from a recording of Instruments as XML:
//
//	xctrace export --input x.trace --xpath '/trace-toc/run[1]/data/table[@schema="time-profile"]'
//
// A row is a sample, with its time, thread, weight and stack as elements in the order of the schema. An element with an id may be repeated as an element
// that refers to it.
package instruments

import (
	"bytes"

	"whorl/internal/jsonscan"
)

// Ending is the end of the names of files.
const Ending = ".xctrace.xml"

// Detect reports whether a file that begins with head may be an export of xctrace.
func Detect(head []byte) bool {
	b := jsonscan.Start(head)
	return len(b) > 0 && b[0] == '<' && (bytes.Contains(b, []byte("<trace-query-result")) || bytes.Contains(b, []byte("<trace-toc")))
}
