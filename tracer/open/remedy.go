package open

import (
	"bytes"
	"regexp"
	"strings"
)

// remedies lists kinds of files that are not traces, with what the user can do instead.
var remedies = []struct {
	is     func(head []byte) bool
	remedy string
}{
	{prefixed("PERFILE2", "2ELIFREP"), "it is a recording of perf; run perf script -i FILE > perf.txt and open perf.txt (docs/profiles.md names more fields)"},
	{prefixed("\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\x00asm"), "it is a program; whorl record -- PROGRAM records a run of it, and --binary PROGRAM names it beside its profile"},
	{marked("<!doctype html", "<html"), "it is a page in HTML; open the profile that it was made of"},
	{marked("<svg", "<?xml"), "it is a picture or a document in XML; open the profile that it was made of"},
	{isSource, "it is the text of a program; whorl run runs programs of FGHC and HPF, and whorl record those of other languages"},
}

// remedyFor returns what to do with a file that is no trace, "" if nothing is known about it.
func remedyFor(head []byte) string {
	for _, r := range remedies {
		if r.is(head) {
			return r.remedy
		}
	}
	return ""
}

func prefixed(marks ...string) func(head []byte) bool {
	return func(head []byte) bool {
		for _, m := range marks {
			if bytes.HasPrefix(head, []byte(m)) {
				return true
			}
		}
		return false
	}
}

// marked is like prefixed for texts, in any case and after blanks.
func marked(marks ...string) func(head []byte) bool {
	return func(head []byte) bool {
		return prefixed(marks...)([]byte(strings.ToLower(string(bytes.TrimSpace(head)))))
	}
}

// sourceLine matches lines with which programs in common languages begin.
var sourceLine = regexp.MustCompile(`(?m)^(#!/|#include\b|package [\w.]+;?$|import [\w."{]|from \w+ import |def \w+\(|public class |fn main\(|use \w+(::\w+)+;|(?i:\s*program \w+$|\s*subroutine \w+|\s*module \w+$)|:- )`)

func isSource(head []byte) bool { return bytes.IndexByte(head, 0) < 0 && sourceLine.Match(head) }
