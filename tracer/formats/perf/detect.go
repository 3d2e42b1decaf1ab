package perf

import (
	"bytes"
	"strconv"
	"strings"

	"whorl/tracer/formats/gzipped"
)

// Detect reports whether a file that begins with head may be the output of perf script, perf trace, ftrace or trace-cmd, compressed or not.
func Detect(head []byte) bool {
	if head = gzipped.Head(head); bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	whole := bytes.LastIndexByte(head, '\n') // the last line may be truncated
	if whole < 0 {
		whole = len(head)
	}
	said, header := false, false // the line before is a header without a time, as older versions write
	for line := range strings.Lines(string(head[:whole])) {
		line = strings.TrimRight(line, "\r\n")
		if header {
			return isFrame(line)
		}
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case line[0] == '#':
			said = said || strings.HasPrefix(line, "# perf version") || strings.HasPrefix(line, "# captured on")
			continue
		case strings.HasPrefix(line, "cpus="): // of trace-cmd
			continue
		}
		if _, ok := parseCall(line); ok {
			return true
		}
		h, ok := parseHeader(line)
		if ok && h.timed && (h.event != "" || h.tid >= 0) || said && ok {
			return true
		}
		if header = ok && h.event != ""; !header {
			return false
		}
	}
	return said
}

// isFrame reports whether a line is a frame of a stack: an address, a function and its program, indented.
func isFrame(line string) bool {
	fields := strings.Fields(line)
	if len(fields) < 2 || !blank(line[0]) {
		return false
	}
	_, err := strconv.ParseUint(fields[0], 16, 64)
	return err == nil && strings.HasSuffix(line, ")")
}
