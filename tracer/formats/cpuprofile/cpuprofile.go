// Package cpuprofile reads the profiles of V8, which Node (--cpu-prof, --heap-prof), Chromium's developer tools, Deno and others write: .cpuprofile and
// .heapprofile. Stacks are a tree of nodes, samples are the numbers of nodes, and the times between samples are in µs. The type Profile in the
// documentation of the Chrome DevTools Protocol describes the first, and SamplingHeapProfile the second. In older files the tree is nested.
package cpuprofile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"whorl/internal/jsonscan"
	"whorl/tracer"
	"whorl/tracer/formats/jsonfile"
	"whorl/tracer/formats/profile"
)

// content is the content of a file.
type content struct {
	Nodes      []node           `json:"nodes"`
	Head       *node            `json:"head"` // the root of a nested tree
	Start      float64          `json:"startTime"`
	End        float64          `json:"endTime"`
	Samples    jsonfile.Numbers `json:"samples"`
	Deltas     jsonfile.Numbers `json:"timeDeltas"`
	Timestamps jsonfile.Numbers `json:"timestamps"` // of older files
}

// A node is a function called from another node.
type node struct {
	ID       float64  `json:"id"`
	Parent   float64  `json:"parent"`
	Call     *frame   `json:"callFrame"`
	Hits     float64  `json:"hitCount"`
	Size     float64  `json:"selfSize"` // bytes that were allocated there
	Ticks    []tick   `json:"positionTicks"`
	Children children `json:"children"`
	frame             // of older files
}

// A frame is a function. Its lines and columns count from 0 in new files.
type frame struct {
	Name   string  `json:"functionName"`
	URL    string  `json:"url"`
	Line   float64 `json:"lineNumber"`
	Column float64 `json:"columnNumber"`
}

// A tick is a number of samples at a line, which counts from 1.
type tick struct {
	Line  float64 `json:"line"`
	Ticks float64 `json:"ticks"`
}

// children are the numbers of nodes, or nodes in a nested tree.
type children struct {
	ids   jsonfile.Numbers
	nodes []node
}

func (c *children) UnmarshalJSON(b []byte) error {
	if bytes.IndexByte(b, '{') >= 0 {
		return json.Unmarshal(b, &c.nodes)
	}
	return json.Unmarshal(b, &c.ids)
}

// Detect reports whether a file that begins with head may be a profile of V8.
func Detect(head []byte) bool {
	b := jsonscan.Start(head)
	contains := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	return len(b) > 0 && b[0] == '{' && !contains(`"traceEvents"`) && !contains(`"ph"`) &&
		(contains(`"nodes"`) && contains(`"callFrame"`) || contains(`"head"`) && contains(`"functionName"`))
}

// Read reads profiles into rec, one stream for each file, and does not close rec. A processor is a file. The time from each sample to the next one is
// a sample of the metric time; nodes named (idle) have none. Files without times have the metric samples, and profiles of the heap have bytes. An error
// names the file.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("V8 profiles", cmp.Or(o.Processor, "file"), []string{"file"}); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o)}
	r.w.Meta = tracer.Meta{Substrate: "cpuprofile", Clock: tracer.Aligned}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

type reader struct {
	w      *profile.Writer
	stacks map[int64]*stack // of the file, by the numbers of nodes
	stream *tracer.Stream
	pe     int32
}

// A stack is a node with its place in the trace.
type stack struct {
	parent  uint32 // the calling context of the caller
	context uint32
	line    profile.Line
	idle    bool
	ticks   []tick // those that no sample has taken yet
}

// ofParts is the number of brackets around nodes and samples.
const ofParts = 2

// mostDepth bounds the depth of a nested tree.
const mostDepth = 1 << 12

func (r *reader) file(f *profile.File) error {
	var c content
	cut, err := jsonfile.Read(f.R, ofParts, &c)
	if err != nil {
		return err
	}
	if c.Nodes == nil && c.Head == nil {
		return errors.New("not a profile of V8: no member nodes and no member head")
	}
	jsonfile.Cut(&r.w.Dropped, f.Name, cut)
	who, err := r.w.Processor(tracer.PE{Host: f.Host, Process: cmp.Or(f.Process, f.Name)})
	if err != nil {
		return err
	}
	r.pe, r.stacks = who, map[int64]*stack{}
	r.stream = r.w.Rec.Stream(tracer.StreamInfo{Name: cmp.Or(f.Process, f.Name)})
	r.w.Begin(r.stream, r.pe, 0)
	nodes := c.Nodes
	if c.Head != nil {
		nodes = r.flat(nil, c.Head, 0, 0)
	}
	r.tree(nodes)
	before := r.w.Sampled
	switch at := c.times(); {
	case slices.ContainsFunc(nodes, func(n node) bool { return n.Size > 0 }):
		r.values(nodes, r.w.Metric("bytes", "bytes"), func(n *node) float64 { return n.Size })
	case len(at) > 0:
		r.samples(&c, at)
	default:
		r.values(nodes, r.w.Metric("samples", "samples"), func(n *node) float64 { return n.Hits })
	}
	if r.w.Sampled == before {
		r.w.Dropped.Once(f.Name + " has no samples")
	}
	r.stream.Sync()
	return nil
}

// flat appends the nodes of a nested tree to a list, parents first.
func (r *reader) flat(list []node, n *node, parent float64, depth int) []node {
	if depth > mostDepth {
		r.w.Dropped.Add("frames beyond the stack depth limit", 1)
		return list
	}
	if n.ID == 0 {
		n.ID = float64(len(list) + 1)
	}
	n.Parent = parent
	list = append(list, *n)
	for i := range n.Children.nodes {
		list = r.flat(list, &n.Children.nodes[i], n.ID, depth+1)
	}
	return list
}

// tree makes the stacks of nodes. Callers may come behind the nodes that they call.
func (r *reader) tree(nodes []node) {
	at := map[int64]int{}
	for i := range nodes {
		if _, twice := at[int64(nodes[i].ID)]; twice {
			r.w.Dropped.Add("nodes with the number of another", 1)
			continue
		}
		at[int64(nodes[i].ID)] = i
	}
	parents := make([]int, len(nodes))
	for i := range nodes {
		parents[i] = -1
		if p, ok := at[int64(nodes[i].Parent)]; ok && nodes[i].Parent > 0 {
			parents[i] = p
		}
	}
	for i := range nodes {
		for _, id := range nodes[i].Children.ids {
			if k, ok := at[int64(id)]; ok && k != i {
				parents[k] = i
			}
		}
	}
	var path []int
	for i := range nodes {
		for k := i; k >= 0 && r.stacks[int64(nodes[k].ID)] == nil; k = parents[k] {
			if path = append(path, k); len(path) > len(nodes) { // a circle
				r.w.Dropped.Add("circles of nodes", 1)
				break
			}
		}
		for len(path) > 0 {
			k := path[len(path)-1]
			path = path[:len(path)-1]
			above := uint32(0)
			if parents[k] >= 0 && r.stacks[int64(nodes[parents[k]].ID)] != nil {
				above = r.stacks[int64(nodes[parents[k]].ID)].context
			}
			r.stacks[int64(nodes[k].ID)] = r.stack(&nodes[k], above)
		}
	}
}

func (r *reader) stack(n *node, above uint32) *stack {
	f, first := n.frame, 0.0
	if n.Call != nil {
		f, first = *n.Call, 1
	}
	if f.Name == "(root)" {
		return &stack{context: above}
	}
	s := &stack{parent: above, idle: f.Name == "(idle)", ticks: n.Ticks, line: profile.Line{
		Function: cmp.Or(f.Name, "(anonymous)"), File: strings.TrimPrefix(f.URL, "file://"), Start: jsonfile.Number(f.Line + first),
	}}
	s.context = r.w.Call(above, r.w.Frames(profile.Place{Lines: []profile.Line{s.line}}))
	return s
}

// next returns the calling context of the next sample of a stack. The file tells how many samples each line has, and not which: they are taken in
// order.
func (r *reader) next(s *stack) uint32 {
	for len(s.ticks) > 0 && (s.ticks[0].Ticks < 1 || jsonfile.Number(s.ticks[0].Line) == 0) {
		s.ticks = s.ticks[1:]
	}
	if len(s.ticks) == 0 {
		return s.context
	}
	s.ticks[0].Ticks--
	line := s.line
	line.Line = jsonfile.Number(s.ticks[0].Line)
	return r.w.Call(s.parent, r.w.Frames(profile.Place{Leaf: true, Lines: []profile.Line{line}}))
}

// longest bounds the times, in µs.
const longest = 1e12

// times returns the times of the samples in µs since the start.
func (c *content) times() jsonfile.Numbers {
	if len(c.Deltas) == 0 {
		at := slices.Clone(c.Timestamps[:min(len(c.Timestamps), len(c.Samples))])
		if c.End > c.Start && c.End < 1e9 && len(at) > 0 { // the start is in seconds
			c.Start, c.End = at[0], max(at[0]+1e6*(c.End-c.Start), at[len(at)-1])
		}
		for i := range at {
			at[i] -= c.Start
		}
		return at
	}
	at := make(jsonfile.Numbers, min(len(c.Deltas), len(c.Samples)))
	now := 0.0
	for i := range at {
		if d := c.Deltas[i]; math.Abs(d) <= longest {
			now += d
		}
		at[i] = now
	}
	return at
}

// samples records the samples in the order of their times. Threads of V8 may write them out of order.
func (r *reader) samples(c *content, at jsonfile.Numbers) {
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	r.w.Dropped.Add("samples without a time, or times without a sample", int64(max(len(c.Samples), len(c.Deltas), len(c.Timestamps))-len(at)))
	metric := r.w.Metric("time", "ns")
	for k, i := range order {
		end := c.End - c.Start
		if k+1 < len(order) {
			end = at[order[k+1]]
		}
		s := r.stacks[int64(c.Samples[i])]
		from, to := nanoseconds(at[i]), nanoseconds(end)
		switch {
		case s == nil:
			r.w.Dropped.Add("samples of unknown nodes", 1)
		case s.idle || to <= from:
		default:
			context := r.next(s)
			if context == 0 {
				context = r.w.Call(0, r.w.Frames(profile.Place{Lines: []profile.Line{{Function: "(root)"}}}))
			}
			r.w.Sample(r.stream, from, r.pe, context, metric, to-from)
		}
	}
}

// nanoseconds returns a time since the start. It returns 0 for an invalid one.
func nanoseconds(us float64) int64 {
	if us > 0 && us <= longest {
		return int64(math.Round(us * 1e3))
	}
	return 0
}

// values records a value of each node.
func (r *reader) values(nodes []node, metric uint32, of func(n *node) float64) {
	for i := range nodes {
		v, s := of(&nodes[i]), r.stacks[int64(nodes[i].ID)]
		if v <= 0 || v > 1<<53 || s == nil || s.idle || s.context == 0 {
			continue
		}
		r.w.Sample(r.stream, 0, r.pe, s.context, metric, int64(v))
	}
}
