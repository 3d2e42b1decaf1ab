package source

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// A row is a line of the listing: of a file, or the heading before one.
type row struct {
	text  string // without tabs and control characters
	spans []span
	line  int32 // from 1, 0 for a heading
	part  int32 // what its line belongs to, -1 for none
}

// A part is a clause, or a function, in the listing: the rows from first to last.
// Of a run that was sampled each line that has instructions is a part.
type part struct {
	code        uint32
	first, last int32
}

// A page is the listing of all files.
type page struct {
	rows    []row
	parts   []part  // in the order of the rows
	partOf  []int32 // by code, -1 for none
	columns int     // characters of the longest row
	files   []listed
}

// A listed file is the rows from begin to end-1: all lines of its text, or those that are known of where there is none.
type listed struct {
	name       string
	begin, end int32
}

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Revealer
} = (*Geometry)(nil)

// Geometry is what the view draws.
type Geometry struct {
	*page
	run   *view.Run
	tree  *spawntree.Tree
	index func() *spawntree.Index
	prof  *lineprofile.Profile // nil where the run was not sampled
	start float64              // row at the top
	cost  int64                // of all nodes

	mu    sync.Mutex // of the memos
	count memo[*view.Span]
	lit   memo[query]
}

const maxColumns = 1000 // characters of a line that are kept; more are cut

var listingStage = flow.Derive("listing", "the lines of the program and what stands in them",
	flow.In(view.RunStage, samplesStage), nil,
	func(c *flow.Call[*page]) (*page, error) {
		return lay(view.RunStage.In(c), samplesStage.In(c)), nil
	})

var geometryStage = flow.Derive("source", "the lines with what their clauses cost",
	flow.In(view.RunStage, view.SpawnTree, listingStage, samplesStage),
	flow.Params{first.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		tree := view.SpawnTree.In(c)
		g := &Geometry{
			page: listingStage.In(c), run: view.RunStage.In(c), tree: tree, index: sync.OnceValue(tree.Index), start: float64(max(c.Params.Int(first.Name), 1) - 1),
		}
		for _, c := range tree.Cost {
			g.cost += c
		}
		if g.prof = samplesStage.In(c); g.prof != nil {
			g.cost = g.prof.Metrics[0].Total
		}
		counts := g.counts(nil) // here, and not when it is drawn
		if g.prof != nil && c.Params.Int(first.Name) == 0 {
			g.start = g.hottest(counts)
		}
		return g, nil
	})

// hottest is the row at the top that shows the line with most samples.
func (g *Geometry) hottest(counts []total) float64 {
	most, row := int64(0), int32(0)
	for k := range g.parts {
		if counts[k].cost > most {
			most, row = counts[k].cost, g.parts[k].first
		}
	}
	return max(float64(row)-hotAbove, 0)
}

// lay lays the listing out. prof is nil where the run was not sampled.
func lay(run *view.Run, prof *lineprofile.Profile) *page {
	p := &page{partOf: make([]int32, len(run.Codes))}
	for c := range p.partOf {
		p.partOf[c] = -1
	}
	for _, f := range run.Meta.Source {
		p.head(f.Name)
		p.file(run, f)
		p.end()
	}
	if prof != nil {
		p.textless(run, prof)
	}
	for _, r := range p.rows {
		p.columns = max(p.columns, utf8.RuneCountInString(r.text))
	}
	return p
}

// head appends the heading of a file.
func (p *page) head(name string) {
	if len(p.rows) > 0 {
		p.rows = append(p.rows, row{part: -1})
	}
	p.rows = append(p.rows, row{text: view.Printable(name, maxColumns), part: -1})
	p.files = append(p.files, listed{name: name, begin: int32(len(p.rows))})
}

// end says that all rows of the last file are there.
func (p *page) end() { p.files[len(p.files)-1].end = int32(len(p.rows)) }

// file appends the lines of a file.
func (p *page) file(run *view.Run, f tracer.SourceFile) {
	fghc := run.Meta.Substrate == "fghc" || strings.HasSuffix(f.Name, ".fghc") || strings.HasSuffix(f.Name, ".kl1")
	begin := int32(len(p.rows))
	lines := strings.Split(strings.TrimSuffix(f.Text, "\n"), "\n")
	for i, s := range lines {
		lines[i] = view.Printable(s, maxColumns)
	}
	var spans [][]span
	if fghc {
		spans = colour(lines)
	}
	remark := lineplot.Comments(f.Name)
	for i, s := range lines {
		r := row{text: s, line: int32(i + 1), part: -1, spans: []span{{0, int32(len(s)), plain}}}
		if fghc {
			r.spans = spans[i]
		} else if remark(s) {
			r.spans[0].class = comment
		}
		p.rows = append(p.rows, r)
	}
	sampled := run.Counts[tracer.Sample] > 0
	var codes []uint32
	for c := range run.Codes {
		k := &run.Codes[c]
		has := !sampled && (k.Type == tracer.Clause || k.Type == tracer.Function) || sampled && k.Type == tracer.Line
		if has && k.Line >= 1 && int(begin+k.Line-1) < len(p.rows) && view.SameFile(k.File, f.Name) {
			codes = append(codes, uint32(c))
		}
	}
	slices.SortStableFunc(codes, func(a, b uint32) int { return int(run.Codes[a].Line) - int(run.Codes[b].Line) })
	for i, c := range codes {
		row := begin + run.Codes[c].Line - 1
		limit := int32(len(p.rows))
		if i+1 < len(codes) {
			limit = begin + run.Codes[codes[i+1]].Line - 1
		}
		last := row
		for fghc && last+1 < limit && !p.stops(last) {
			last++
		}
		k := int32(len(p.parts))
		p.parts = append(p.parts, part{c, row, last})
		p.partOf[c] = k
		for ; row <= last; row++ {
			if p.rows[row].part < 0 { // of two clauses on a line the first has it
				p.rows[row].part = k
			}
		}
	}
}

// stops says whether a clause ends on a row.
func (p *page) stops(row int32) bool {
	return slices.ContainsFunc(p.rows[row].spans, func(s span) bool { return s.class == stop })
}
