package profile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
)

// Sums holds the samples of a trace, added up by processor, stack and labels, for writers of formats without times.
type Sums struct {
	Codes   []tracer.Code
	Meta    tracer.Meta
	Metrics []tracer.Code // in the order of their first samples
	Stacks  []Stack       // in the order of their first samples; callers come before their callees, and Stacks[0] is the program
	Cells   []Cell        // by processor, then by stack, then by labels
	PEs     []int32       // the processors with samples
	Last    int64         // time of the last sample

	metrics map[uint32]int // by code
	stacks  map[Stack]uint32
	context []uint32 // stacks of contexts, 0 if not known yet
	cells   map[at]int
}

// A Stack is a frame and the stack of its caller.
type Stack struct{ Caller, Code uint32 }

// A Cell holds the values of a processor in a stack with some labels, by metric.
type Cell struct {
	PE     int32
	Stack  uint32
	Labels int32 // Event.Peer of the samples, 0 for none
	Values []int64
}

type at struct {
	pe     int32
	stack  uint32
	labels int32
}

// mostMetrics bounds the metrics of written profiles, as readers of pprof do.
const mostMetrics = 64

// Sum adds up the samples of a trace. frame returns the code that stands for a code of a stack, for example its function. Samples without a stack
// are left out, as in all views. Sums of more than 64 bits are cut.
func Sum(src tracer.Source, frame func(codes []tracer.Code, code uint32) uint32) (*Sums, error) {
	s := &Sums{
		Codes: src.Dict().Codes(), Meta: src.Meta(), Stacks: make([]Stack, 1),
		metrics: map[uint32]int{}, stacks: map[Stack]uint32{}, cells: map[at]int{},
	}
	contexts := src.Dict().Contexts()
	s.context = make([]uint32, len(contexts))
	err := src.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
		for i := range es {
			e := &es[i]
			if e.Kind != tracer.Sample || e.Ref == 0 || e.Ref >= uint64(len(contexts)) || e.PE < 0 || e.PE >= MostProcessors {
				continue
			}
			m, ok := s.metrics[e.Code]
			if !ok {
				if m = len(s.Metrics); m == mostMetrics {
					return fmt.Errorf("more than %d metrics", mostMetrics)
				}
				s.metrics[e.Code] = m
				s.Metrics = append(s.Metrics, metricOf(s.Codes, e.Code))
			}
			s.Last = max(s.Last, e.Time)
			s.add(e, m, s.stack(contexts, uint32(e.Ref), frame))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(s.Metrics) == 0 {
		return nil, errors.New("the trace has no samples, which a profile is made of")
	}
	slices.SortFunc(s.Cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.PE, b.PE), cmp.Compare(a.Stack, b.Stack), cmp.Compare(a.Labels, b.Labels))
	})
	for i := range s.Cells {
		c := &s.Cells[i]
		c.Values = append(c.Values, make([]int64, len(s.Metrics)-len(c.Values))...)
		if i == 0 || c.PE != s.Cells[i-1].PE {
			s.PEs = append(s.PEs, c.PE)
		}
	}
	return s, nil
}

// metricOf returns a metric; a sample without one counts ticks.
func metricOf(codes []tracer.Code, code uint32) (c tracer.Code) {
	if int(code) < len(codes) {
		c = codes[code]
	}
	if c.Name == "" {
		c.Name, c.Unit, c.Scale = "ticks", "ticks", 1
	}
	if c.Scale == 0 || math.IsInf(c.Scale, 0) || math.IsNaN(c.Scale) {
		c.Scale = 1
	}
	return c
}

// stack returns the stack of a calling context.
func (s *Sums) stack(contexts []tracer.Context, id uint32, frame func([]tracer.Code, uint32) uint32) uint32 {
	var way []uint32
	for ; id != 0 && s.context[id] == 0; id = contexts[id].Parent {
		way = append(way, id)
	}
	at := s.context[id]
	for _, id := range slices.Backward(way) {
		key := Stack{at, frame(s.Codes, contexts[id].Code)}
		n, ok := s.stacks[key]
		if !ok {
			n = uint32(len(s.Stacks))
			s.stacks[key] = n
			s.Stacks = append(s.Stacks, key)
		}
		at = n
		s.context[id] = n
	}
	return at
}

// add adds a sample to its cell.
func (s *Sums) add(e *tracer.Event, metric int, stack uint32) {
	key := at{e.PE, stack, max(e.Peer, 0)}
	k, ok := s.cells[key]
	if !ok {
		k = len(s.Cells)
		s.cells[key] = k
		s.Cells = append(s.Cells, Cell{PE: e.PE, Stack: stack, Labels: key.labels})
	}
	c := &s.Cells[k]
	if n := len(c.Values); n <= metric {
		c.Values = append(c.Values, make([]int64, metric+1-n)...)
	}
	v := &c.Values[metric]
	switch sum := *v + e.Value; {
	case *v > 0 && e.Value > 0 && sum < 0:
		*v = math.MaxInt64
	case *v < 0 && e.Value < 0 && sum >= 0:
		*v = math.MinInt64
	default:
		*v = sum
	}
}

// Path appends the codes of a stack to out, the outermost first.
func (s *Sums) Path(stack uint32, out []uint32) []uint32 {
	from := len(out)
	for ; stack != 0; stack = s.Stacks[stack].Caller {
		out = append(out, s.Stacks[stack].Code)
	}
	slices.Reverse(out[from:])
	return out
}

// Name returns the name of the function or procedure of a code, or its place in brackets if it has none.
func (s *Sums) Name(code uint32) string {
	c := s.Codes[OwnerOf(s.Codes, code)]
	switch {
	case c.Name != "":
		return c.Name
	case c.File != "":
		return c.File + ":" + strconv.Itoa(int(c.Line))
	}
	return "[unknown]"
}

// OwnerOf is a frame of Sum: the function or procedure of a code, or the code itself if it has none.
func OwnerOf(codes []tracer.Code, code uint32) uint32 {
	if int(code) >= len(codes) {
		return 0
	}
	return cmp.Or(tracer.Owner(codes, code), code)
}

// LineOf is a frame of Sum: the line of an instruction, or else the code itself.
func LineOf(codes []tracer.Code, code uint32) uint32 {
	if int(code) >= len(codes) {
		return 0
	}
	if c := &codes[code]; c.Type == tracer.Instruction && c.Parent != 0 && c.Parent < code {
		return c.Parent
	}
	return code
}

// PE returns what the metadata tells about a processor.
func (s *Sums) PE(pe int32) (p tracer.PE) {
	if int(pe) < len(s.Meta.PEInfo) {
		p = s.Meta.PEInfo[pe]
	}
	return p
}

// Processor returns the name of a processor: its host, process and thread, or its number if these are unknown.
func (s *Sums) Processor(pe int32) string {
	p := s.PE(pe)
	thread := strings.TrimSpace(strings.TrimPrefix(p.Thread, p.Process))
	return cmp.Or(strings.TrimSpace(strings.TrimSpace(p.Host+" "+p.Process)+" "+thread), "PE "+strconv.Itoa(int(pe)))
}

// Unique returns the names of PEs, each with its number if several have the same name.
func (s *Sums) Unique() []string {
	count := map[string]int{}
	for _, pe := range s.PEs {
		count[s.Processor(pe)]++
	}
	names := make([]string, len(s.PEs))
	for i, pe := range s.PEs {
		if names[i] = s.Processor(pe); count[names[i]] > 1 {
			names[i] = fmt.Sprintf("%s (PE %d)", names[i], pe)
		}
	}
	return names
}

// UnitOf returns the unit of a metric as profiles name it, and the factor of its values: a metric of multiples of 1000 ns has the unit
// microseconds and the factor 1.
func UnitOf(c *tracer.Code) (unit string, factor float64) {
	for _, name := range []string{"nanoseconds", "microseconds", "milliseconds", "seconds", "bytes", "kilobytes", "megabytes"} {
		if u := units[name]; u.unit == c.Unit && u.scale == c.Scale {
			return name, 1
		}
	}
	if c.Unit == "ns" {
		return "nanoseconds", c.Scale
	}
	return c.Unit, c.Scale
}

// Multiplied returns a value times a factor, rounded and bounded.
func Multiplied(v int64, factor float64) int64 {
	if factor == 1 {
		return v
	}
	if n := int64(factor); float64(n) == factor && n != 0 && v*n/n == v && math.Abs(float64(v)*factor) < math.MaxInt64 {
		return v * n
	}
	return int64(max(min(math.Round(float64(v)*factor), 1<<62), -1<<62))
}
