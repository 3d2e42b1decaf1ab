package source

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"whorl/dts/remark"
	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// A row is a row of the listing: a line of a file or the heading above a file.
type row struct {
	text  string // without tabs and control characters
	spans []span
	line  int32 // line number from 1; 0 for a heading
	part  int32 // index into page.parts, -1 for none

	remarks []remark.Remark // what whorl dts did with the line
}

// A part is a clause or a function: the rows from first to last. In a sampled run it is a line with code.
type part struct {
	code        uint32
	first, last int32
}

// A page lists all files.
type page struct {
	rows    []row
	parts   []part  // in the order of the rows
	partOf  []int32 // by code, -1 for none
	columns int     // length of the longest row in characters
	last    int32   // largest line number
	files   []listed
}

// A listed file has the rows from begin to end-1: all lines of its text or, without text, its known lines.
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

// A program is the listing with the counts of its parts.
type program struct {
	*page
	run   *view.Run
	tree  *spawntree.Tree
	index func() *spawntree.Index
	prof  *lineprofile.Profile // nil unless the run was sampled
	start float64              // first visible row for a camera at 0
	cost  int64                // total cost of all nodes, or all samples
	count int64                // of all reductions or threads
	timed bool                 // nodes have durations; otherwise the cost of each is 1
	brief bool                 // there are counts, but no nodes

	memo view.Memo[query, []total]
}

// A Geometry is the picture of the listing.
type Geometry struct {
	*program
	other     *program // the run to compare with, nil for none
	otherName string
	twin      []int32 // by part: the same one of the other run, -1 for none
	wrong     error   // why nothing is compared, or nil
}

const maxColumns = 1000 // longer lines are cut

var listingStage = flow.Derive("listing", "the lines of the program, their tokens and clauses",
	flow.In(view.RunStage, samplesStage), nil,
	func(c *flow.Call[*page]) (*page, error) {
		return lay(view.RunStage.In(c), samplesStage.In(c)), nil
	})

var geometryStage = flow.Derive("comparedsource", "the lines with the cost of their clauses, beside those of another run",
	flow.In(programStage, view.OtherName, otherProgram),
	flow.Params{view.Against},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := &Geometry{program: programStage.In(c)}
		if c.Params.Text(view.Against) != view.AgainstTrace {
			return g, nil
		}
		other, err := otherProgram.In(c)
		g.compare(view.OtherName.In(c), other, err)
		return g, nil
	})

// otherProgram is programStage of the other run.
var otherProgram = programStage.Mirrored(view.OfOther)

var programStage = flow.Derive("source", "the lines with the cost of their clauses",
	flow.In(view.RunStage, view.SpawnTree, listingStage, samplesStage),
	flow.Params{first.Name},
	func(c *flow.Call[*program]) (*program, error) {
		tree := view.SpawnTree.In(c)
		g := &program{
			page: listingStage.In(c), run: view.RunStage.In(c), tree: tree, index: sync.OnceValue(tree.Index), start: float64(max(c.Params.Int(first.Name), 1) - 1),
		}
		nodes, err := tree.Count(c.Tick)
		if err != nil {
			return nil, err
		}
		for _, n := range nodes.Code {
			g.count += n.Nodes
			g.cost += n.Cost
		}
		if g.timed = nodes.Timed(); !g.timed {
			g.cost = g.count
		}
		g.brief = int64(tree.Len()) < g.count
		if g.prof = samplesStage.In(c); g.prof != nil {
			g.cost = g.prof.Metrics[0].Total
		}
		counts := g.counts(nil) // fill the cache before the first frame
		if g.prof != nil && c.Params.Int(first.Name) == 0 {
			g.start = g.hottest(counts)
		}
		return g, nil
	})

// hottest returns the first visible row that shows the line with the most samples.
func (g *program) hottest(counts []total) float64 {
	most, row := int64(0), int32(0)
	for k := range g.parts {
		if counts[k].cost > most {
			most, row = counts[k].cost, g.parts[k].first
		}
	}
	return max(float64(row)-hotAbove, 0)
}

// lay lays out the listing. prof is nil unless the run was sampled.
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
		p.last = max(p.last, r.line)
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

// end completes the last file.
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
	isComment := lineplot.Comments(f.Name)
	var remarks []remark.Remark // about the next line
	for i, s := range lines {
		r := row{text: s, line: int32(i + 1), part: -1, spans: []span{{0, int32(len(s)), plain}}}
		if fghc {
			r.spans = spans[i]
		} else if isComment(s) {
			r.spans[0].class = comment
		}
		if about, ok := remark.Parse(s); ok {
			remarks = append(remarks, about)
		} else {
			r.remarks, remarks = remarks, nil
		}
		p.rows = append(p.rows, r)
	}
	sampled := run.Counts[tracer.Sample] > 0
	var codes []uint32
	for c := range run.Codes {
		k := &run.Codes[c]
		listed := !sampled && (k.Type == tracer.Clause || k.Type == tracer.Function) || sampled && k.Type == tracer.Line
		if listed && k.Line >= 1 && int(begin+k.Line-1) < len(p.rows) && view.SameFile(k.File, f.Name) {
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
			if p.rows[row].part < 0 { // the first clause on a line owns the line
				p.rows[row].part = k
			}
		}
	}
}

// stops reports whether a clause ends on a row.
func (p *page) stops(row int32) bool {
	return slices.ContainsFunc(p.rows[row].spans, func(s span) bool { return s.class == stop })
}
