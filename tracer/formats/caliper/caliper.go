// Package caliper reads the profiles of Caliper (D. Boehme et al., "Caliper: Performance Introspection for HPC Software Stacks", 2016): its records
// (.cali), and the form json-split that cali-query writes.
//
// A file of records has a tree of nodes, each an attribute with a value: main, and below it the loop of main. Attributes are nodes too. A record of
// values refers to nodes and has further values. The path of nodes whose attributes are nested is a calling context.
package caliper

import (
	"bytes"
	"cmp"
	"strings"

	"whorl/internal/jsonscan"
	"whorl/tracer"
	"whorl/tracer/formats/contexts"
	"whorl/tracer/formats/profile"
)

// Detect reports whether a file that begins with head may be of Caliper.
func Detect(head []byte) bool {
	if bytes.HasPrefix(head, []byte("__rec=")) {
		return true
	}
	b := jsonscan.Start(head)
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	first := bytes.TrimLeft(b[1:], " \t\r\n")
	if !bytes.HasPrefix(first, []byte(`"data"`)) {
		return false
	}
	rows := bytes.Join(bytes.Fields(first), nil)
	return bytes.HasPrefix(rows, []byte(`"data":[[`)) || bytes.HasPrefix(rows, []byte(`"data":[],"columns"`))
}

// Read reads profiles into rec, one stream for each file, and does not close rec. A processor is a rank if the file has ranks, otherwise a file. Metrics
// are the numbers of the records. Inclusive ones become exclusive, and those of ranks together that are no sums are left out. An error names the file and
// the line.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("Caliper", cmp.Or(o.Processor, "rank"), []string{"rank"}); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o)}
	r.w.Meta = tracer.Meta{Substrate: "caliper", Clock: tracer.Aligned}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

// most bounds a file, in bytes.
const most = 1 << 29

type reader struct {
	w      *profile.Writer
	f      *profile.File
	stream *tracer.Stream
	tree   *contexts.Tree
	pes    map[string]int32
}

func (r *reader) file(f *profile.File) error {
	data, err := profile.ReadAll(f.R, most)
	if err != nil {
		return err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	r.f, r.tree, r.pes = f, contexts.New(r.w), map[string]int32{}
	r.stream = r.w.Rec.Stream(tracer.StreamInfo{Name: cmp.Or(f.Process, f.Name)})
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		err = r.split(data)
	} else {
		err = r.records(data)
	}
	if err != nil {
		return err
	}
	before := r.w.Sampled
	r.tree.Record(r.stream)
	if r.w.Sampled == before {
		r.w.Dropped.Once(f.Name + " has no values in contexts")
	}
	r.stream.Sync()
	return nil
}

// pe returns the processor of a rank, "" for a file without ranks.
func (r *reader) pe(rank string) (int32, error) {
	if pe, ok := r.pes[rank]; ok {
		return pe, nil
	}
	who := tracer.PE{Host: r.f.Host, Process: cmp.Or(r.f.Process, r.f.Name)}
	if rank != "" {
		who.Process = "rank " + rank
	}
	pe, err := r.w.Processor(who)
	if err == nil {
		r.pes[rank] = pe
		r.w.Begin(r.stream, pe, 0)
	}
	return pe, err
}

// A metric is an attribute whose values are recorded.
type metric struct {
	name, unit string
	inclusive  bool
}

// metricOf returns the metric of an attribute, and false for one whose values cannot be added: the least, the largest and the mean of several
// processes, percentages, and properties of places.
func metricOf(attribute, unit string) (metric, bool) {
	m := metric{name: attribute, unit: unit}
	for _, part := range strings.Split(attribute, "#") {
		switch {
		case part == "min" || part == "max" || part == "avg" || part == "ratio" || part == "scale" || part == "percent_total", strings.HasPrefix(part, "avg."), strings.HasPrefix(part, "min."), strings.HasPrefix(part, "max."):
			return m, false
		case part == "inclusive":
			m.inclusive = true
		}
	}
	base := attribute[strings.LastIndexByte(attribute, '#')+1:]
	switch {
	case strings.HasPrefix(base, "cali.") || strings.HasSuffix(base, ".rank") || strings.HasPrefix(attribute, "cali."):
		return m, false
	case strings.Contains(base, "time.inclusive.duration"):
		m.inclusive = true
	}
	if strings.HasPrefix(base, "time.") && strings.Contains(base, "duration") {
		m.name = "time"
		if base != "time.duration" && !m.inclusive {
			m.name = base
		}
		if m.unit == "" {
			if m.unit = "usec"; strings.HasSuffix(base, ".ns") {
				m.unit, m.name = "nsec", "time"
			}
		}
	}
	if m.unit == "" {
		m.unit = m.name
	}
	return m, true
}
