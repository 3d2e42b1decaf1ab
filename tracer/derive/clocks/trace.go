package clocks

import (
	"fmt"
	"math"

	"whorl/tracer"
	"whorl/tracer/taskindex"
)

// Needed reports whether the streams of a trace have unrelated clocks: real clocks of several hosts, or of several processes that count from
// their start.
func Needed(src tracer.StreamSource) bool {
	meta := src.Meta()
	if !several(meta.PEInfo) {
		return false
	}
	for _, s := range src.Streams() {
		if clockOf(s, &meta) == tracer.Monotonic {
			return true
		}
	}
	return false
}

func clockOf(s tracer.StreamInfo, meta *tracer.Meta) string {
	if s.Clock != "" {
		return s.Clock
	}
	return meta.Clock
}

// several reports whether there is more than one process.
func several(pes []tracer.PE) bool {
	var first *tracer.PE
	for i := range pes {
		p := &pes[i]
		if p.Host == "" && p.Process == "" {
			continue
		}
		if first != nil && !same(first, p) {
			return true
		}
		first = p
	}
	return false
}

func same(a, b *tracer.PE) bool { return a.Host == b.Host && a.Process == b.Process }

// Aligned returns the trace with all times by the clock of the host of its first stream. The result is in memory, 48 bytes for each event. Its
// metadata describe the correction of each host, and name hosts that are not connected with the first one.
func Aligned(src tracer.StreamSource) (tracer.StreamSource, error) {
	c, err := collect(src)
	if err != nil {
		return nil, err
	}
	clocks := Align(c.ranges, c.messages())
	out := tracer.NewMemory()
	meta := src.Meta()
	meta.Clock = tracer.Aligned
	meta.Extra = append(meta.Extra[:len(meta.Extra):len(meta.Extra)], Corrections(clocks, c.names)...)
	out.SetMeta(meta)
	for _, code := range src.Dict().Codes()[1:] {
		out.Dict().Add(code)
	}
	for _, context := range src.Dict().Contexts()[1:] {
		out.Dict().AddContext(context)
	}
	infos := src.Streams()
	streams := make([]*tracer.Stream, len(infos))
	for i, info := range infos {
		info.Clock, info.Offset = tracer.Aligned, 0
		streams[i] = out.Stream(info)
	}
	last := make([]int64, len(infos))
	for i := range last {
		last[i] = math.MinInt64
	}
	err = src.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error {
		for i := range es {
			e := es[i]
			e.Time += infos[stream].Offset
			if h := c.hosts[stream]; h >= 0 {
				e.Time = clocks[h].Time(e.Time)
			}
			last[stream] = max(last[stream], e.Time) // times fall only in a damaged trace
			e.Time = last[stream]
			*streams[stream].Slot() = e
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, out.Close()
}

// Key is the prefix of the metadata keys for the correction of a host; the name of the host follows.
const Key = "clock of "

// Corrections describes the corrections of the hosts for the metadata. Host 0 has none.
func Corrections(clocks []Clock, names []string) (kvs []tracer.KV) {
	for h, c := range clocks {
		if h == 0 {
			continue
		}
		text := fmt.Sprintf("%+d ns and %+.3f ppm", c.Offset, c.Drift*1e6)
		switch {
		case !c.Known:
			text = "unknown: no message connects it with " + names[0]
		case c.Bound < 0:
			text += ", from messages in one direction"
		default:
			text += fmt.Sprintf(", to within %d ns", c.Bound)
		}
		if c.Skew > 0 {
			text += fmt.Sprintf("; messages go back in time by up to %d ns", c.Skew)
		}
		kvs = append(kvs, tracer.KV{Key: Key + names[h], Value: text})
	}
	return kvs
}

// A collector gathers the messages between hosts.
type collector struct {
	names  []string // of the hosts
	ranges []Range
	hosts  []int32 // by stream, -1 for a stream without events

	tasks         taskindex.Index
	forked, ended []stamp // by task
	started       []use
	joined        []use
	sent          map[uint64]stamp
	received      []use
}

// A stamp is an instant on a host. It holds the host plus 1, so that the zero stamp means none.
type stamp struct {
	host int32
	time int64
}

// A use is an event that follows a stamp: the start or join of a task, or the receipt of a message.
type use struct {
	id uint64 // of the task or the message
	stamp
}

func collect(src tracer.StreamSource) (*collector, error) {
	infos, meta := src.Streams(), src.Meta()
	c := &collector{hosts: make([]int32, len(infos)), sent: map[uint64]stamp{}}
	for i := range c.hosts {
		c.hosts[i] = -1
	}
	places := map[[2]string]int32{}
	err := src.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error {
		if c.hosts[stream] < 0 {
			place := tracer.PE{Host: infos[stream].Name}
			if pe := int(es[0].PE); pe >= 0 && pe < len(meta.PEInfo) && (meta.PEInfo[pe].Host != "" || meta.PEInfo[pe].Process != "") {
				place = meta.PEInfo[pe]
			}
			c.hosts[stream] = c.host(places, place)
		}
		for i := range es {
			e := es[i]
			e.Time += infos[stream].Offset
			c.event(c.hosts[stream], &e)
		}
		return nil
	})
	return c, err
}

// host returns the number of a host. It adds a new host.
func (c *collector) host(places map[[2]string]int32, place tracer.PE) int32 {
	key := [2]string{place.Host, place.Process}
	if h, ok := places[key]; ok {
		return h
	}
	h := int32(len(c.names))
	places[key] = h
	name := place.Host
	if place.Process != "" {
		name += " " + place.Process
	}
	c.names = append(c.names, name)
	c.ranges = append(c.ranges, Range{math.MaxInt64, math.MinInt64})
	return h
}

func (c *collector) event(h int32, e *tracer.Event) {
	r := &c.ranges[h]
	r.From, r.To = min(r.From, e.Time), max(r.To, e.Time)
	at := stamp{h + 1, e.Time}
	switch e.Kind {
	case tracer.Fork:
		if f := &c.forked[c.task(e.Task)]; f.host == 0 {
			*f = at
		}
	case tracer.Start:
		if e.Peer != tracer.Inline {
			c.started = append(c.started, use{uint64(c.task(e.Task)), at})
		}
	case tracer.End:
		if f := &c.ended[c.task(e.Task)]; f.host == 0 {
			*f = at
		} else if f.host > 0 {
			f.host = -1 // it ended twice: the joins may have waited for either end
		}
	case tracer.JoinEnd:
		c.joined = append(c.joined, use{uint64(c.task(e.Ref)), at})
	case tracer.Send:
		if _, ok := c.sent[e.Ref]; !ok { // a message that is sent again may arrive before
			c.sent[e.Ref] = at
		}
	case tracer.Recv:
		c.received = append(c.received, use{e.Ref, at})
	}
}

// task returns the dense number of a task.
func (c *collector) task(task uint64) int32 {
	n, ok := c.tasks.Get(task)
	if !ok {
		n = int32(len(c.forked))
		c.tasks.Put(task, n)
		c.forked, c.ended = append(c.forked, stamp{}), append(c.ended, stamp{})
	}
	return n
}

// messages returns the pairs of a stamp and a use on two hosts.
func (c *collector) messages() (ms []Message) {
	add := func(from stamp, to use) {
		if from.host > 0 && from.host != to.host {
			ms = append(ms, Message{from.host - 1, to.host - 1, from.time, to.time})
		}
	}
	for _, u := range c.started {
		add(c.forked[u.id], u)
	}
	for _, u := range c.joined {
		add(c.ended[u.id], u)
	}
	for _, u := range c.received {
		add(c.sent[u.id], u)
	}
	return ms
}
