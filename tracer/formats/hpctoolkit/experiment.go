//go:build !js

package hpctoolkit

import (
	"cmp"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// older reads experiment.xml: the tree, and the tables to which the tree refers by number.
type older struct {
	d          *database
	modules    map[string]*profile.Module
	files      map[string]string
	procedures map[string]string
	columns    []column // of metric-db files
	listed     []column // metrics with sums in the tree
	below      bool     // the reader is inside the tree

	open []int32 // open nodes, one for each element
	sums []summed
}

// A column is a metric of an older database.
type column struct {
	id   int
	name string
}

// A summed value is the sum of a metric over all threads, given in the tree.
type summed struct {
	node  int32
	id    int
	value float64
}

// old reads a database of experiment.xml and metric-db files.
func (d *database) old() error {
	file := d.files["xml"][0]
	o := older{d: d, modules: map[string]*profile.Module{}, files: map[string]string{}, procedures: map[string]string{}}
	if err := o.read(io.NewSectionReader(file.reader, 0, file.size)); err != nil {
		return file.failed(err)
	}
	d.w.Meta.Program = cmp.Or(d.w.Meta.Program, d.name)
	values := d.files["metric"]
	slices.SortFunc(values, func(a, b *blob) int { return profile.Natural(a.name, b.name) })
	switch {
	case len(values) > 0:
		return o.threads(values)
	case len(o.sums) > 0:
		return o.whole(file)
	case len(d.files["prof"]) > 0:
		return file.failed(errors.New("profile.db has an unsupported version before 4; hpcprof of a newer HPCToolkit writes version 4"))
	}
	return file.failed(errors.New("no values and no metric-db files: name the folder that holds them"))
}

// read reads experiment.xml.
func (o *older) read(r io.Reader) error {
	in := xml.NewDecoder(r)
	in.Strict = false // function names may be badly escaped
	found := false
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			line, column := in.InputPos()
			if len(o.d.tree.nodes) > 0 {
				o.d.w.Dropped.Once(fmt.Sprintf("experiment.xml is truncated or damaged at line %d", line))
				break
			}
			return fmt.Errorf("line %d, column %d: %w", line, column, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			found = found || t.Name.Local == "HPCToolkitExperiment"
			if err := o.begin(&t); err != nil {
				line, column := in.InputPos()
				return fmt.Errorf("line %d, column %d: %w", line, column, err)
			}
		case xml.EndElement:
			o.end(t.Name.Local)
		}
	}
	if !found {
		return errors.New("not an HPCToolkit database: no element HPCToolkitExperiment")
	}
	if len(o.d.tree.nodes) == 0 {
		o.d.w.Dropped.Once("the database has no contexts")
	}
	return nil
}

func attribute(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return strings.ToValidUTF8(a.Value, "\ufffd")
		}
	}
	return ""
}

// begin handles the start of an element.
func (o *older) begin(e *xml.StartElement) error {
	i, n := attribute(e, "i"), attribute(e, "n")
	switch e.Name.Local {
	case "SecCallPathProfile":
		o.d.name = cmp.Or(o.d.name, n)
	case "SecFlatProfile":
		return errors.New("flat profiles without calling contexts are not supported")
	case "LoadModule":
		o.modules[i] = &profile.Module{Path: n}
	case "File":
		o.files[i] = strings.TrimPrefix(n, "./")
	case "Procedure":
		o.procedures[i] = n
	case "Metric", "MetricDB":
		id, err := strconv.Atoi(i)
		if err != nil {
			return fmt.Errorf("invalid metric number %q", i)
		}
		if e.Name.Local == "Metric" {
			o.listed = append(o.listed, column{id, n})
		} else {
			o.columns = append(o.columns, column{id, n})
		}
	case "SecCallPathProfileData":
		o.below = true
	case "M":
		value, err := strconv.ParseFloat(attribute(e, "v"), 64)
		id, wrong := strconv.Atoi(n)
		if err != nil || wrong != nil || len(o.open) == 0 {
			o.d.w.Dropped.Add("values with an invalid number", 1)
		} else {
			o.sums = append(o.sums, summed{o.open[len(o.open)-1], id, value})
		}
	case "PF", "Pr", "P", "L", "C", "S", "LM", "F":
		if o.below {
			return o.node(e, i, n)
		}
	}
	return nil
}

// node adds a context to the tree: a function (PF), an inlined function (Pr), a loop (L), the line of a call (C) or a line (S).
func (o *older) node(e *xml.StartElement, i, n string) error {
	if len(o.d.tree.nodes) >= mostNodes {
		return errors.New("too many contexts, or a cycle of contexts")
	}
	node := node{parent: -1}
	if k := len(o.open); k > 0 {
		node.parent = o.open[k-1]
	}
	line, err := strconv.ParseInt(attribute(e, "l"), 10, 32)
	if err != nil || line < 0 {
		line = 0
	}
	file := attribute(e, "f")
	switch e.Name.Local {
	case "PF", "Pr", "P":
		node.called = true
		node.line = profile.Line{Function: cmp.Or(o.procedures[n], n), File: known(o.files[file]), Start: int32(line)}
		node.module = o.modules[attribute(e, "lm")]
	default:
		node.line.File, node.line.Line = known(o.files[file]), int32(line)
	}
	number, err := strconv.ParseInt(i, 10, 32)
	if err != nil {
		return fmt.Errorf("invalid context number %q", i)
	}
	node.made = number <= 0 // by hpcprof, for the line of the parent
	at := o.d.tree.add(node)
	if number > 0 {
		if _, ok := o.d.ids[uint32(number)]; ok {
			o.d.w.Dropped.Add("contexts with a duplicate number", 1)
		} else {
			o.d.ids[uint32(number)] = at
		}
	}
	o.open = append(o.open, at)
	return nil
}

// known returns the name of a file, or "" for a placeholder.
func known(file string) string {
	if strings.HasPrefix(file, "<unknown file>") || strings.HasPrefix(file, "~unknown-file~") {
		return ""
	}
	return file
}

func (o *older) end(name string) {
	switch name {
	case "PF", "Pr", "P", "L", "C", "S", "LM", "F":
		if len(o.open) > 0 {
			o.open = o.open[:len(o.open)-1]
		}
	}
}

// choose makes metrics of columns. If a metric has an inclusive and an exclusive column, it takes the inclusive one.
func (o *older) choose(columns []column) (of map[int]int) {
	of = map[int]int{}
	with := map[string]bool{}
	for _, c := range columns {
		if base, ok := strings.CutSuffix(c.name, "(I)"); ok {
			with[strings.TrimSpace(base)] = true
		}
	}
	for _, c := range columns {
		base, s := c.name, point
		if b, ok := strings.CutSuffix(c.name, "(I)"); ok {
			base, s = b, execution
		} else if b, ok := strings.CutSuffix(c.name, "(E)"); ok {
			if base, s = b, function; with[strings.TrimSpace(base)] {
				continue
			}
		}
		base = strings.TrimSpace(base)
		if b, ok := strings.CutSuffix(base, ":Sum"); ok {
			base = b
		} else if strings.Contains(base, ":") && len(o.d.files["metric"]) == 0 {
			continue // means, extremes and other statistics
		}
		of[c.id] = len(o.d.metrics)
		o.d.metrics = append(o.d.metrics, newMetric(o.d.w, base, s))
	}
	return of
}

// threads reads the metric-db files, one for each thread.
func (o *older) threads(files []*blob) error {
	d := o.d
	columns := o.columns
	if len(columns) == 0 {
		columns = o.listed
	}
	slices.SortStableFunc(columns, func(a, b column) int { return cmp.Compare(a.id, b.id) })
	of := o.choose(columns)
	d.prepare()
	several := map[string]int{}
	for _, f := range files {
		several[named(f.name, d).Process]++
	}
	s := d.w.Rec.Stream(tracer.StreamInfo{Name: d.name})
	for _, f := range files {
		who := named(f.name, d)
		if several[who.Process] == 1 {
			who.Thread = ""
		}
		pe, err := d.w.Processor(who)
		if err != nil {
			return f.failed(err)
		}
		d.w.Begin(s, pe, 0)
		if err := o.values(f, columns, of); err != nil {
			return f.failed(err)
		}
		d.flush(s, 0, pe)
	}
	s.Sync()
	return nil
}

// values adds the values of a thread: a row for each context, in the order of the context numbers from 1. A row of the root, which is not in
// experiment.xml, has the total of the thread.
func (o *older) values(f *blob, columns []column, of map[int]int) error {
	head, err := f.part(0, 32)
	if err != nil {
		return err
	}
	var order binary.ByteOrder = binary.BigEndian
	switch head[23] {
	case 'b':
	case 'l':
		order = binary.LittleEndian
	default:
		return fmt.Errorf("unknown byte order %q: expected b or l", head[23])
	}
	rows, width := uint64(order.Uint32(head[24:])), uint64(order.Uint32(head[28:]))
	if width > uint64(len(columns)) {
		o.d.w.Dropped.Add("columns without a metric", int64(width)-int64(len(columns)))
	}
	if width == 0 || width > 1<<16 {
		return fmt.Errorf("%d metrics: expected 1 to 65536", width)
	}
	missing := map[int][]float64{} // by metric
	const chunk = 1 << 12
	for from := uint64(0); from < rows; from += chunk {
		n := min(chunk, rows-from)
		part, err := f.array(32+from*width*8, n*width, 8)
		if err != nil {
			return err
		}
		for r := range n {
			node, ok := o.d.ids[uint32(from+r+1)]
			for c := range min(width, uint64(len(columns))) {
				v := math.Float64frombits(order.Uint64(part[8*(r*width+c):]))
				k, chosen := of[columns[c].id]
				switch {
				case !chosen || v == 0:
				case !ok:
					missing[k] = append(missing[k], v)
				default:
					o.d.add(k, node, v)
				}
			}
		}
	}
	for k, values := range missing {
		n := len(values)
		if slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v-o.d.total(k)) <= 1e-6*math.Abs(v) }) {
			n-- // the root
		}
		o.d.w.Dropped.Add("values of contexts missing from experiment.xml", int64(n))
	}
	return nil
}

// total returns the sum of a metric over the contexts of the thread that is being read.
func (d *database) total(k int) (sum float64) {
	for _, v := range d.sums[k] {
		sum += v
	}
	return sum
}

// named parses the processor from the name of a file, PROGRAM-RANK-THREAD-HOST-PROCESS-N.metric-db.
func named(path string, d *database) tracer.PE {
	base := strings.TrimSuffix(filepath.Base(path), ".metric-db")
	parts := strings.Split(base, "-")
	pe := tracer.PE{Host: d.host, Process: base}
	if k := len(parts) - 5; k > 0 {
		rank, err1 := strconv.Atoi(parts[k])
		thread, err2 := strconv.Atoi(parts[k+1])
		if err1 == nil && err2 == nil {
			pe.Host = strings.TrimSpace(d.host + " node " + parts[k+2])
			pe.Process, pe.Thread = fmt.Sprintf("rank %d", rank), fmt.Sprintf("thread %d", thread)
		}
	}
	return pe
}

// whole records the sums in the tree as the values of a single processor.
func (o *older) whole(f *blob) error {
	d := o.d
	of := o.choose(o.listed)
	d.prepare()
	pe, err := d.w.Processor(tracer.PE{Host: d.host, Process: d.name})
	if err != nil {
		return f.failed(err)
	}
	s := d.w.Rec.Stream(tracer.StreamInfo{Name: d.name})
	d.w.Begin(s, pe, 0)
	for _, v := range o.sums {
		if k, ok := of[v.id]; ok {
			d.add(k, v.node, v.value)
		}
	}
	d.flush(s, 0, pe)
	s.Sync()
	return nil
}
