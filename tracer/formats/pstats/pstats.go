// Package pstats reads the files of Python's modules cProfile and profile (python3 -m cProfile -o FILE, Profile.dump_stats), which the module pstats
// prints. A file is a dictionary in the serialised form of the module marshal. It has the time of each function and, for each caller, the number of
// calls and their time. It has no stacks: package arcs makes calling contexts of it.
package pstats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/arcs"
	"whorl/tracer/formats/profile"
)

// most bounds a file, in bytes.
const most = 1 << 29

// Detect reports whether a file that begins with head may be of pstats: a dictionary whose first key is a tuple of three values, or an empty one.
func Detect(head []byte) bool {
	if len(head) < 3 || head[0]&^flagged != '{' {
		return false
	}
	switch head[1] &^ flagged {
	case ')':
		return head[2] == 3
	case '(':
		return len(head) > 6 && string(head[2:6]) == "\x03\x00\x00\x00"
	}
	return false
}

// Read reads profiles into rec, one stream for each file, and does not close rec. A processor is a file. The metrics are time, in ns, and calls. An error
// names the file.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("pstats", cmp.Or(o.Processor, "file"), []string{"file"}); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o)}
	r.w.Meta = tracer.Meta{Substrate: "pstats", Clock: tracer.Aligned}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

type reader struct {
	w         *profile.Writer
	graph     *arcs.Graph
	functions map[key]int32
}

// A key identifies a function.
type key struct {
	file string
	line int64
	name string
}

func (r *reader) file(f *profile.File) error {
	data, err := profile.ReadAll(f.R, most)
	if err != nil {
		return err
	}
	d := decoder{data: data}
	if len(data) == 0 || data[0]&^flagged != '{' {
		return errors.New("offset 0: expected a dictionary of Python's module marshal")
	}
	if data[0]&flagged != 0 {
		d.refs = append(d.refs, nil)
	}
	d.pos = 1
	r.graph = arcs.New(r.w, []uint32{r.w.Metric("time", "ns")}, r.w.Metric("calls", "calls"))
	r.functions = map[key]int32{}
	read := 0
	err = d.dictionary(1, func(p pair) {
		if r.function(p) {
			read++
		} else {
			r.w.Dropped.Add("entries of unknown form", 1)
		}
	})
	if err != nil && read == 0 {
		return err
	}
	if err != nil {
		r.w.Dropped.Once(fmt.Sprintf("the rest of %s from byte %d on: %v", f.Name, d.pos, err))
	}
	if read == 0 {
		r.w.Dropped.Once(f.Name + " has no functions")
	}
	name := cmp.Or(f.Process, f.Name)
	stream := r.w.Rec.Stream(tracer.StreamInfo{Name: name})
	pe, err := r.w.Processor(tracer.PE{Host: f.Host, Process: name})
	if err != nil {
		return err
	}
	r.w.Begin(stream, pe, 0)
	r.graph.Record(stream, pe)
	stream.Sync()
	return nil
}

// function reads an entry: a function with its numbers of calls, its time by itself and with inner calls in s, and its callers.
func (r *reader) function(p pair) bool {
	f, ok := r.numbered(p.key)
	stats, whole := p.value.([]value)
	if !ok || !whole || len(stats) < 5 {
		return false
	}
	r.graph.Cost(f, "", 0, []int64{nanoseconds(stats[2])})
	callers, _ := stats[4].([]pair)
	all := count(stats[1])
	called := int64(0)
	for _, c := range callers {
		from, ok := r.numbered(c.key)
		if !ok {
			r.w.Dropped.Add("callers of unknown form", 1)
			continue
		}
		switch v := c.value.(type) {
		case []value: // of cProfile: calls, those that are not recursive, time, and time with inner calls
			if len(v) < 4 {
				r.w.Dropped.Add("callers of unknown form", 1)
				continue
			}
			r.graph.Arc(from, "", 0, f, count(v[0]), []int64{nanoseconds(v[3])})
			called += count(v[0])
		default: // of profile: the number of calls
			n := count(v)
			share := float64(nanoseconds(stats[3])) * float64(n) / float64(max(all, n, 1))
			r.graph.Arc(from, "", 0, f, n, []int64{int64(share)})
			called += n
		}
	}
	r.graph.Entered(f, max(all-called, 0))
	return true
}

// numbered returns the number of a function, which a tuple of its file, line and name identifies.
func (r *reader) numbered(v value) (int32, bool) {
	tuple, _ := v.([]value)
	if len(tuple) != 3 {
		return 0, false
	}
	file, ok := tuple[0].(string)
	name, named := tuple[2].(string)
	line, _ := tuple[1].(int64)
	if !ok || !named {
		return 0, false
	}
	k := key{file, line, name}
	n, ok := r.functions[k]
	if !ok {
		if file == "~" || strings.HasPrefix(file, "<") { // built in, or text without a file
			file = ""
		}
		n = r.graph.Function(profile.Line{
			Function: strings.ToValidUTF8(name, "\ufffd"), File: strings.ToValidUTF8(file, "\ufffd"), Start: int32(min(max(line, 0), math.MaxInt32)),
		}, nil)
		r.functions[k] = n
	}
	return n, true
}

// mostValue bounds the numbers of a file.
const mostValue = 1 << 53

// nanoseconds returns a time that is given in seconds. It returns 0 for an invalid one.
func nanoseconds(v value) int64 {
	s, _ := v.(float64)
	if n, ok := v.(int64); ok {
		s = float64(n)
	}
	if s > 0 && s < mostValue/1e9 {
		return int64(math.Round(s * 1e9))
	}
	return 0
}

// count returns a number of calls. It returns 0 for an invalid one.
func count(v value) int64 {
	n, _ := v.(int64)
	return min(max(n, 0), mostValue)
}
