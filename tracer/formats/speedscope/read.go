package speedscope

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/jsonfile"
	"whorl/tracer/formats/profile"
)

// Bounds of a file.
const (
	mostText  = 1 << 29 // bytes
	mostDepth = 1 << 16 // frames in a stack
	mostValue = 1 << 53 // as recorded
)

// ofParts is the number of brackets around samples, events and frames in a file.
const ofParts = 4

// fraction is the recorded amount of a weight of 1 without a unit, if there are fractional weights.
const fraction = 1e6

// Read reads files into rec, one stream for each profile, and does not close rec. A processor is a profile. The weights of samples, or the times
// between events, become a metric in the unit of the profile; the number of times that frames were opened is another. Times count from the
// beginning of each profile. Memory holds one file at a time. An error names the file.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("speedscope", cmp.Or(o.Processor, "profile"), []string{"profile"}); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o)}
	r.w.Meta = tracer.Meta{Substrate: "speedscope", Clock: tracer.Aligned}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

// A reader reads the profiles in order.
type reader struct {
	w      *profile.Writer
	table  []frame
	frames [][]uint32       // dictionary entries of each frame of the table; nil until needed
	lost   []uint32         // dictionary entries of a frame that is not in the table
	pes    map[string]int32 // of the file, by the names in its profiles

	s      *section
	stream *tracer.Stream
	pe     int32
	metric uint32
	calls  uint32
	scale  float64 // recorded amount of a value of 1
	timed  bool    // the metric is in ns
}

func (r *reader) file(f *profile.File) error {
	data, err := profile.ReadAll(f.R, mostText)
	if err != nil {
		return err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	c := content{Schema: schema}
	if len(bytes.TrimSpace(data)) > 0 {
		c.Schema = ""
		if err := json.Unmarshal(data, &c); err != nil {
			whole, at := jsonfile.Closed(data, ofParts)
			if whole == nil || json.Unmarshal(whole, &c) != nil {
				return jsonfile.Explain(data, err)
			}
			if n := len(c.Profiles) - 1; n >= 0 && c.Profiles[n].Type == "" { // some tools write the type behind the events
				switch last := &c.Profiles[n]; {
				case len(last.Events) > 0:
					last.Type = "evented"
				case len(last.Samples) > 0 && len(last.Weights) > 0:
					last.Type = "sampled"
				default:
					c.Profiles = c.Profiles[:n]
				}
			}
			if len(c.Profiles) == 0 {
				return jsonfile.Explain(data, err)
			}
			r.w.Dropped.Once(fmt.Sprintf("the rest of %s from byte %d on: the file is cut", f.Name, at))
		}
	}
	if len(c.Profiles) == 0 && c.Shared.Frames == nil && c.Schema == "" {
		return errors.New("not a speedscope file: no profiles and no shared frames")
	}
	r.w.Meta.Program = cmp.Or(r.w.Meta.Program, c.Name)
	r.table, r.frames, r.pes = c.Shared.Frames, make([][]uint32, len(c.Shared.Frames)), map[string]int32{}
	if len(c.Profiles) == 0 {
		r.w.Dropped.Once(f.Name + " has no profiles")
	}
	before := r.w.Sampled
	for i := range c.Profiles {
		r.s = &c.Profiles[i]
		if r.s.Whorl == nil {
			r.s.Whorl = &origin{}
		}
		who := tracer.PE{Host: f.Host, Process: cmp.Or(f.Process, f.Name)}
		if len(c.Profiles) > 1 {
			who.Thread = cmp.Or(r.s.Whorl.Processor, r.s.Name, fmt.Sprintf("profile %d", i+1))
		}
		if err := r.profile(who); err != nil {
			return fmt.Errorf("profile %d (%q): %w", i+1, r.s.Name, err)
		}
	}
	if len(c.Profiles) > 0 && r.w.Sampled == before {
		r.w.Dropped.Once(f.Name + " has only zero values")
	}
	return nil
}

// durations are the units of time, in ns.
var durations = map[string]float64{"nanoseconds": 1, "microseconds": 1e3, "milliseconds": 1e6, "seconds": 1e9}

func (r *reader) profile(who tracer.PE) error {
	s := r.s
	if s.Type != "sampled" && s.Type != "evented" {
		return fmt.Errorf("unknown type %q: expected sampled or evented", s.Type)
	}
	if err := r.processor(who); err != nil {
		return err
	}
	r.scale, r.timed = durations[s.Unit]
	switch {
	case r.timed:
		r.metric = r.w.Metric(cmp.Or(s.Whorl.Metric, "time"), "ns")
	case s.Unit == "bytes":
		r.scale, r.metric = 1, r.w.Metric(cmp.Or(s.Whorl.Metric, "bytes"), "bytes")
	case s.Unit == "none" || s.Unit == "":
		name := cmp.Or(s.Whorl.Metric, "samples")
		r.plain(name, cmp.Or(s.Whorl.Unit, name))
	default:
		r.plain(s.Unit, s.Unit)
	}
	r.stream = r.w.Rec.Stream(tracer.StreamInfo{Name: strings.TrimSpace(who.Process + " " + who.Thread)})
	r.w.Begin(r.stream, r.pe, 0)
	if s.Type == "sampled" {
		r.samples()
	} else {
		r.calls = r.w.Metric("calls", "calls")
		r.events()
	}
	r.stream.Sync()
	return nil
}

// processor chooses the processor. Profiles that name the same processor share it.
func (r *reader) processor(who tracer.PE) (err error) {
	pe, ok := r.pes[r.s.Whorl.Processor]
	if !ok {
		if pe, err = r.w.Processor(who); err != nil {
			return err
		}
		if r.s.Whorl.Processor != "" {
			r.pes[r.s.Whorl.Processor] = pe
		}
	}
	r.pe = pe
	return nil
}

// plain chooses the metric of a count, which may have fractions.
func (r *reader) plain(name, unit string) {
	r.scale = 1
	whole := true
	for _, w := range r.s.Weights {
		whole = whole && w == math.Trunc(w)
	}
	for i := range r.s.Events {
		whole = whole && r.s.Events[i].Time == math.Trunc(r.s.Events[i].Time)
	}
	if !whole {
		r.scale = fraction
	}
	r.metric = r.w.Scaled(name, unit, 1/r.scale)
}

// amount returns the recorded amount of a value.
func (r *reader) amount(v float64) int64 {
	if v *= r.scale; math.Abs(v) <= mostValue {
		return int64(math.Round(v))
	}
	r.w.Dropped.Add("values too large", 1)
	return 0
}

// time returns the time of an amount that counts from the beginning of the profile.
func (r *reader) time(amount int64) int64 {
	if r.timed {
		return amount
	}
	return 0
}

func (r *reader) samples() {
	s := r.s
	if n := len(s.Samples) - len(s.Weights); n != 0 {
		r.w.Dropped.Add("samples without a weight, or weights without a sample", int64(max(n, -n)))
	}
	passed := int64(0)
	for i := range min(len(s.Samples), len(s.Weights)) {
		stack := s.Samples[i]
		if len(stack) > mostDepth {
			r.w.Dropped.Add("frames beyond the stack depth limit", int64(len(stack)-mostDepth))
			stack = stack[:mostDepth]
		}
		context := uint32(0)
		for _, f := range stack {
			context = r.w.Call(context, r.frame(f))
		}
		n := r.amount(s.Weights[i])
		if context != 0 && n != 0 { // an empty stack: the program was not running
			r.w.Sample(r.stream, r.time(passed), r.pe, context, r.metric, n)
		}
		if passed <= mostValue {
			passed += max(n, 0)
		}
	}
}

// An opened is an open frame.
type opened struct {
	frame   int32
	context uint32
}

func (r *reader) events() {
	var open []opened
	times := map[int32]int{} // number of times that each frame is open
	last := int64(0)
	var called []uint32 // contexts that were opened at last; the time of a frame comes first, as it is the metric to show
	counted := func() {
		for _, context := range called {
			r.w.Sample(r.stream, r.time(last), r.pe, context, r.calls, 1)
		}
		called = called[:0]
	}
	until := func(v float64) {
		at := r.amount(v - r.s.Start)
		if at < last {
			r.w.Dropped.Add("events out of order", 1)
			at = last
		}
		if n := len(open); n > 0 && at > last {
			r.w.Sample(r.stream, r.time(last), r.pe, open[n-1].context, r.metric, at-last)
		}
		if at > last {
			counted()
		}
		last = at
	}
	for i := range r.s.Events {
		e := &r.s.Events[i]
		until(e.Time)
		switch e.Type {
		case "O":
			context := uint32(0)
			if n := len(open); n > 0 {
				context = open[n-1].context
			}
			if len(open) < mostDepth {
				context = r.w.Call(context, r.frame(e.Frame))
				if !r.s.Whorl.Ways || i+1 == len(r.s.Events) || r.s.Events[i+1].Type != "O" {
					called = append(called, context)
				}
			} else {
				r.w.Dropped.Add("frames beyond the stack depth limit", 1)
			}
			open = append(open, opened{e.Frame, context})
			times[e.Frame]++
		case "C":
			open = r.close(open, times, e.Frame)
		default:
			r.w.Dropped.Add("events of unknown type", 1)
		}
	}
	if len(open) > 0 {
		until(max(r.s.End, r.s.Start+float64(last)/r.scale))
		r.w.Dropped.Add("frames never closed", int64(len(open)))
	}
	counted()
}

// close closes a frame and the frames opened since. times, which it updates, avoids a search for a frame that is not open.
func (r *reader) close(open []opened, times map[int32]int, frame int32) []opened {
	if times[frame] == 0 {
		r.w.Dropped.Add("frames closed but not open", 1)
		return open
	}
	for inner := int64(0); ; inner++ {
		last := open[len(open)-1].frame
		open = open[:len(open)-1]
		times[last]--
		if last == frame {
			r.w.Dropped.Add("frames closed before an inner frame", inner)
			return open
		}
	}
}

// frame returns the dictionary entries of a frame of the table.
func (r *reader) frame(i int32) []uint32 {
	if i < 0 || int(i) >= len(r.table) {
		r.w.Dropped.Add("frames missing from the table", 1)
		if r.lost == nil {
			r.lost = r.w.Frames(profile.Place{})
		}
		return r.lost
	}
	if r.frames[i] == nil {
		f := &r.table[i]
		r.frames[i] = r.w.Frames(profile.Place{Lines: []profile.Line{{
			Function: f.Name, File: f.File, Line: jsonfile.Number(f.Line), Column: jsonfile.Number(f.Col),
		}}})
	}
	return r.frames[i]
}
