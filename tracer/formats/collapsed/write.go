package collapsed

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Write writes the samples of the first metric of a trace, added up by processor and stack of functions, in the order of the lines as texts. Values are
// in the unit of the metric. If several processors have samples, each stack begins with its processor, in the form that Read takes for one.
//
// The format has no escapes: a semicolon in a name becomes a comma, and white space one blank.
func Write(w io.Writer, src tracer.Source) error {
	s, err := profile.Sum(src, profile.OwnerOf)
	if err != nil {
		return err
	}
	first := make(map[int32]string, len(s.PEs))
	if len(s.PEs) > 1 {
		first = processorFrames(s)
	}
	names := map[uint32]string{}
	sums := map[string]int64{} // functions that differ only by their files have the same line
	var path []uint32
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Values[0] == 0 {
			continue
		}
		path = s.Path(c.Stack, path[:0])
		line := []byte(first[c.PE])
		for _, code := range path {
			name, ok := names[code]
			if !ok {
				name = frameName(s.Name(code))
				names[code] = name
			}
			if len(line) > 0 {
				line = append(line, ';')
			}
			line = append(line, name...)
		}
		sums[string(line)] += c.Values[0]
	}
	lines := make([]string, 0, len(sums))
	for line, v := range sums {
		if v != 0 {
			lines = append(lines, line+" "+amount(v, s.Metrics[0].Scale))
		}
	}
	slices.Sort(lines)
	b := bufio.NewWriter(w)
	for _, line := range lines {
		_, _ = b.WriteString(line)
		_ = b.WriteByte('\n')
	}
	return b.Flush() // Flush returns the first error of all writes
}

// amount formats a value, with at most the six digits of a fraction that Read keeps.
func amount(v int64, scale float64) string {
	if scale == 1 {
		return strconv.FormatInt(v, 10)
	}
	text := strconv.FormatFloat(float64(v)*scale, 'f', 6, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// frameName returns a name as a frame of a line.
func frameName(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(name, ";", ",")), " ")
}

// processorFrames returns the first frames of the stacks by processor: heat-10/12 for the thread "heat 12" of the process "heat 10", or the name of
// the processor and its number.
func processorFrames(s *profile.Sums) map[int32]string {
	frames, seen := map[int32]string{}, map[string]bool{}
	unique := true
	for _, pe := range s.PEs {
		f, ok := processFrame(s.PE(pe))
		frames[pe] = f
		unique = unique && ok && !seen[f]
		seen[f] = true
	}
	if !unique {
		for _, pe := range s.PEs {
			frames[pe] = fmt.Sprintf("%s-%d", frameName(s.Processor(pe)), pe)
		}
	}
	return frames
}

// processFrame is the inverse of named. It returns false for a processor that named cannot return, or one with a host.
func processFrame(p tracer.PE) (frame string, ok bool) {
	command, pid, numbered := cutNumber(p.Process)
	if !numbered {
		command, pid = p.Process, "?"
	}
	frame = command + "-" + pid
	if p.Thread != "" {
		_, tid, _ := cutNumber(p.Thread)
		frame += "/" + tid
	}
	again, ok := named(frame)
	return frame, ok && p.Host == "" && again.Process == p.Process && again.Thread == p.Thread && frameName(frame) == frame
}

// cutNumber splits a name into a command and a number.
func cutNumber(name string) (command, number string, ok bool) {
	k := strings.LastIndexByte(name, ' ')
	if k <= 0 || strings.Trim(name[k+1:], "0123456789") != "" || k+1 == len(name) {
		return name, "", false
	}
	return name[:k], name[k+1:], true
}
