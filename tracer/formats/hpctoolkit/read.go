//go:build !js

package hpctoolkit

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"

	"whorl/internal/numbering"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Read reads databases into rec and does not close rec. The files of a folder form a database. A processor is a thread of a process on a host. An
// error names the file.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("HPCToolkit", cmp.Or(o.Processor, "thread"), []string{"thread"}); err != nil {
		return err
	}
	w := profile.NewWriter(rec, o)
	w.Meta = tracer.Meta{Substrate: "hpctoolkit", Clock: tracer.Aligned}
	var failed error
	for _, folder := range folders(files) {
		d := database{w: w, alone: o.Merge == "" || o.Merge == "thread"}
		if failed = d.read(folder); failed != nil {
			break
		}
	}
	w.Finish()
	return failed
}

// folders groups the files by folder.
func folders(files []profile.File) (all [][]profile.File) {
	var names numbering.List[string]
	for _, f := range files {
		k := int(names.Number(filepath.Dir(f.Name)))
		if k == len(all) {
			all = append(all, nil)
		}
		all[k] = append(all[k], f)
	}
	return all
}

// A database is a database being read.
type database struct {
	w     *profile.Writer
	alone bool // every processor is a single thread

	files   map[string][]*blob // by kind
	name    string             // of the program
	host    string             // host of all processes; "" to use the one in the database
	metrics []metric
	tree    tree
	ids     map[uint32]int32 // node of each context, by its id
	sums    [][]float64      // by metric and node, of the current thread
	room    int              // number of sums that may still be allocated
	touched []int32          // nodes with a sum
	marked  []bool
	ofID    map[uint16]int // metrics, by id
}

// A metric is a metric whose values are read.
type metric struct {
	code  uint32
	name  string
	scale float64 // recorded amount of a value of 1
	scope scope
	rest  float64 // carried over from rounding
}

// A scope is the part of the tree over which a value is summed.
type scope uint8

// The scopes.
const (
	execution scope = iota // a context and its descendants: inclusive
	function               // a context and its descendants in the same function
	point                  // a context alone: exclusive
)

func (d *database) read(files []profile.File) error {
	d.files = map[string][]*blob{}
	d.host = files[0].Host
	for i := range files {
		b, err := newBlob(&files[i])
		if err != nil {
			return &profile.FileError{Name: files[i].Name, Err: err}
		}
		head, _ := b.head()
		d.files[kindOf(head)] = append(d.files[kindOf(head)], b)
	}
	d.ids = map[uint32]int32{}
	switch {
	case len(d.files["meta"]) > 0:
		return d.version4()
	case len(d.files["xml"]) > 0:
		return d.old()
	}
	return &profile.FileError{Name: files[0].Name, Err: errors.New("part of an HPCToolkit database: name the folder that holds it with meta.db or experiment.xml")}
}

// prepare allocates the sums of a thread.
func (d *database) prepare() {
	d.sums, d.room = make([][]float64, len(d.metrics)), mostSums
	d.marked = make([]bool, len(d.tree.nodes))
}

// add adds a value of a metric at a node. If the value of the node above includes it, add subtracts it there.
func (d *database) add(k int, node int32, v float64) {
	m := &d.metrics[k]
	if d.sums[k] == nil { // most of many metrics are empty
		if len(d.tree.nodes) > d.room {
			d.w.Dropped.Add("values beyond the memory limit of metrics", 1)
			return
		}
		d.room -= len(d.tree.nodes)
		d.sums[k] = make([]float64, len(d.tree.nodes))
	}
	d.touch(node)
	d.sums[k][node] += v
	up := int32(-1)
	switch m.scope {
	case execution:
		up = d.tree.nodes[node].above
	case function:
		up = d.tree.nodes[node].within
	}
	if up >= 0 {
		d.touch(up)
		d.sums[k][up] -= v
	}
}

func (d *database) touch(node int32) {
	if !d.marked[node] {
		d.marked[node] = true
		d.touched = append(d.touched, node)
	}
}

// flush records the values of the thread. It carries rounding errors over, so that sums are exact.
func (d *database) flush(s *tracer.Stream, at int64, pe int32) {
	slices.Sort(d.touched)
	for _, node := range d.touched {
		d.marked[node] = false
		for k := range d.metrics {
			if d.sums[k] == nil {
				continue
			}
			m := &d.metrics[k]
			v := d.sums[k][node] * m.scale
			d.sums[k][node] = 0
			if v > -1e-6 && v < 1e-6 { // rounding error of a difference of sums
				continue
			}
			if v > mostValue || v < -mostValue || v != v {
				d.w.Dropped.Add("values too large", 1)
				continue
			}
			v += m.rest
			n := rounded(v)
			m.rest = v - float64(n)
			if n != 0 {
				d.w.Sample(s, at, pe, d.tree.context(d.w, node), m.code, n)
			}
		}
	}
	d.touched = d.touched[:0]
}

// mostSums bounds the values of a thread in memory: the product of contexts and metrics may be large even in a small file.
const mostSums = 1 << 28

// mostValue bounds a recorded value.
const mostValue = 1 << 53
