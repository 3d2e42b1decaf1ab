package contexts

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/derive/labels"
	"whorl/tracer/query"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// The parameters that choose contexts by the names of functions and of files, as the options of pprof do. All views of a trace share them.
var (
	Focus  = choice("focus", "Focus", "keep the contexts in which a function or its file matches this regular expression")
	Ignore = choice("ignore", "Ignore", "leave out the contexts in which a function or its file matches this regular expression")
	Show   = choice("show", "Show", "leave functions out of the contexts unless they or their files match this regular expression")
	Hide   = choice("hide", "Hide", "leave functions out of the contexts if they or their files match this regular expression")
)

// The parameters that choose samples by their labels, as the options of pprof do. All views of a trace share them.
var (
	TagFocus  = choice("tagfocus", "Labels", "keep samples with a label that matches key=value, key:value or a range such as 4kb:64kb")
	TagIgnore = choice("tagignore", "Labels without", "leave out samples with a label that matches key=value, key:value or a range such as 4kb:64kb")
	TagRoot   = choice("tagroot", "Labels as callers", "let the labels of these keys, separated by commas, call the functions")
	TagLeaf   = choice("tagleaf", "Labels as callees", "let the functions call the labels of these keys, separated by commas")
)

func choice(name, label, doc string) view.Param {
	return view.Param{Name: name, Label: label, Doc: doc, Default: "", Common: true}
}

// Choices returns the parameters that choose contexts.
func Choices() []view.Param {
	return []view.Param{Focus, Ignore, Show, Hide, TagFocus, TagIgnore, TagRoot, TagLeaf}
}

// labelling lists the names of the parameters of labels.
var labelling = flow.Params{TagFocus.Name, TagIgnore.Name, TagRoot.Name, TagLeaf.Name}

// labelQuery returns what parameters choose by labels.
func labelQuery(values flow.Values) labels.Query {
	of := func(p view.Param) string { return strings.TrimSpace(values.Text(p.Name)) }
	return labels.Query{Focus: of(TagFocus), Ignore: of(TagIgnore), Root: of(TagRoot), Leaf: of(TagLeaf)}
}

// Choosing lists the names of the parameters that choose contexts.
var Choosing = flow.Params{Focus.Name, Ignore.Name, Show.Name, Hide.Name}

// selection returns the frames and contexts that the parameters choose, false for all. A wrong expression chooses all; the error tells it.
func (c *Contexts) selection(p flow.Values) (s callingcontext.Selection, some bool, wrong error) {
	for k, to := range []*func(uint32) bool{&s.Focus, &s.Ignore, &s.Show, &s.Hide} {
		text := strings.TrimSpace(p.Text(Choices()[k].Name))
		if text == "" {
			continue
		}
		re, err := query.Exact(text)
		if err != nil {
			wrong = fmt.Errorf("%s %w", Choices()[k].Name, err)
			continue
		}
		*to, some = c.matching(re), true
	}
	return s, some, wrong
}

// spent reports whether the program has a value of any metric.
func (c *Contexts) spent() bool {
	for m := range c.Metrics {
		if c.Total(callingcontext.Root, m, true) != 0 {
			return true
		}
	}
	return false
}

// chosenBy lists the expressions that choose contexts: focus "solve", hide "^main".
func chosenBy(p flow.Values) string {
	var given []string
	for _, name := range Choosing {
		if text := strings.TrimSpace(p.Text(name)); text != "" {
			given = append(given, name+" "+strconv.Quote(text))
		}
	}
	return strings.Join(given, ", ")
}

// matching returns whether the name of a code's function or its file matches.
func (c *Contexts) matching(re *regexp.Regexp) func(code uint32) bool {
	return callingcontext.Matching(re, c.FunctionName, c.Module)
}

// derived returns the contexts of a tree made of c. Selections of either refer to the other.
func (c *Contexts) derived(tree callingcontext.Derived) *Contexts {
	d := New(c.Run, tree.Tree)
	d.PE, d.Time, d.log, d.odd = c.PE, c.Time, c.log, c.odd
	d.of, d.to, d.kept = c, tree.To, tree.Kept
	d.numbers = sync.OnceValue(func() *numbers {
		n := number(c.Run, tree.Tree)
		for v, node := range tree.To {
			if node >= 0 {
				n.byID.Add(c.ID(int32(v)), uint32(node))
			}
		}
		return n
	})
	return d
}

// Callers returns the contexts turned round (callingcontext.Tree.Callers): of all functions, or of those that of chooses. The metric, "" for the first one
// with values, tells which of too many contexts are left out.
func (c *Contexts) Callers(of func(code uint32) bool, metric string) *Contexts {
	k := c.metric
	if metric != "" {
		k = c.Tree.Metric(metric)
	}
	tree := c.Tree.Callers(of, k)
	d := c.derived(tree)
	d.turned, d.cut = true, tree.Cut
	return d
}

// Callees returns the contexts below the functions that of chooses (callingcontext.Tree.Callees).
func (c *Contexts) Callees(of func(code uint32) bool) *Contexts { return c.derived(c.Tree.Callees(of)) }

// mostNodes bounds the contexts of a selection.
const mostNodes = 1000

// sources returns the nodes of the tree that this one was made of whose values are at a node, those with the largest values if they are too many. A node
// of a tree that was turned round has the values of all callers that lie below it.
func (c *Contexts) sources(node int32) (nodes []int32) {
	end := node + 1
	if c.turned {
		end = c.End[node]
	}
	for v, at := range c.to {
		if at >= node && at < end {
			nodes = append(nodes, int32(v))
		}
	}
	if len(nodes) > mostNodes {
		value := func(v int32) int64 { return c.of.Total(v, c.metric, !c.turned) }
		slices.SortStableFunc(nodes, func(v, w int32) int { return int(min(max(value(w)-value(v), -1), 1)) })
		nodes = nodes[:mostNodes]
		slices.Sort(nodes)
	}
	return nodes
}
