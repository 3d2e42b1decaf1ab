// Package bodies shows PEs as bodies that move as their computation and communication balance or do not, as Osawa, Morita and Yuba do
// ("Animation for performance debugging of parallel computing systems", 1997): what a PE sends pulls it towards the receiver, bodies repel each
// other, friction calms them. A balanced program keeps them together in a regular shape, an unbalanced one distorts it, in space and in time.
package bodies

import (
	"math"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/traffic"
	"whorl/tracer/store"
	"whorl/visual/flow"
	"whorl/visual/layout/nbody"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "bodies",
		Title: "Bodies",
		Doc:   "PEs as bodies in three dimensions, which traffic pulls towards each other: balance is a regular shape",
		Positions: []view.Position{
			{In: view.Goals, Rank: 1, Needs: tracer.Kinds(tracer.Send)},
			{In: view.Threads, Rank: 1, Needs: tracer.Kinds(tracer.Send)},
			{In: view.Compared, Rank: 1, Needs: tracer.Kinds(tracer.Send)},
		},
		Needs:   []tracer.KindSet{tracer.Kinds(tracer.Send), tracer.Kinds(tracer.Move), tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Start)},
		Picture: view.Draws(geometryStage),
		Params:  []view.Param{bodiesAre, model, force, mass, pulled, repulsion, attraction, friction, elastic, pace, colorBy, trails, labels, lines, fast, reach[0], reach[1], reach[2], heard, loadFast, loadAt, view.Palette, view.Background},
		Keys:    keys,
		Space:   true,
	}
}

var keys = []view.Key{
	{Key: "c", Doc: "colour by load, traffic or PE"},
	{Key: "t", Doc: "trails, or none"},
	{Key: "l", Doc: "labels, or none"},
	{Key: "b", Doc: "measures below the bodies, or none"},
	{Key: "w", Doc: "the selected time is the window of all views, or there is none"},
	{Key: "m", Doc: "the model of a cube, of a mesh, or what fits the network"},
}

// Parameters of the view. Constants are in proportion to those of the model.
var (
	model = view.Param{
		Name: "model", Doc: "equation of motion: bodies that are free, from a cube; or joined to their neighbours in the network, a mesh; auto is mesh where PEs have places in a network",
		Default: "auto", Choices: []string{"auto", "cube", "mesh"},
	}
	force = view.Param{Name: "force", Doc: "what pulls a body; auto is bytes, or messages where all are empty", Default: "auto", Choices: append([]string{"auto"}, forces...)}
	mass  = view.Param{
		Name: "mass", Doc: "what makes a body heavy, so that it moves less; auto is nothing for a cube and busy time for a mesh",
		Default: "auto", Choices: append([]string{"auto"}, masses...),
	}
	pulled = view.Param{
		Name: "pulled", Doc: "whom traffic pulls: the sender alone, or both towards each other; auto is the sender in a cube and both in a mesh",
		Default: "auto", Choices: []string{"auto", "sender", "both"},
	}
	repulsion  = times("repulsion", "how strongly bodies push each other away")
	attraction = times("attraction", "how strongly traffic pulls")
	friction   = times("friction", "how much motion is slowed")
	elastic    = times("elastic", "how strongly the links of a mesh hold")

	pace = view.Param{
		Name: "pace", Doc: "how time becomes that of the model: all of a run is 60 of its units; or live, each time that a run has become twice as long is 30 more, so that what was shown stays while it goes on; auto is live for a trace that is seen growing",
		Default: "auto", Choices: []string{"auto", "run", "live"},
	}

	colorBy = view.Param{Name: "color", Doc: "what bodies are coloured by; pe is the procedure where bodies are procedures", Default: "load", Choices: []string{"load", "traffic", "pe"}}
	trails  = view.Param{Name: "trails", Doc: "show the ways that bodies have come", Default: true}
	labels  = view.Param{Name: "labels", Doc: "number the bodies", Default: true}

	lines = view.Param{Name: "measures", Doc: "lines below the bodies: their spread, the traffic and the imbalance", Default: true}
	fast  = view.Param{
		Name: "fast", Doc: "mark where a measure changes within a sixtieth of the run by so much of its greatest value; 0 is nowhere", Default: Fast, Max: 1,
	}
	// reach are what the measures reach, in their order.
	reach = [3]view.Param{
		{Name: "spreadat", Doc: "mark where the spread comes to this, in proportion to the start; 0 is nowhere", Default: 0.0, Max: 1000},
		{Name: "trafficat", Doc: "mark where the traffic comes to this, in proportion to the mean; 0 is nowhere", Default: 0.0, Max: 1000},
		{Name: "imbalanceat", Doc: "mark where the imbalance comes to this, 1 being all work on one PE; 0 is nowhere", Default: 0.0, Max: 1},
	}
)

// times is a parameter of a constant.
func times(name, doc string) view.Param {
	return view.Param{Name: name, Doc: doc + ", times what the model has", Default: 1.0, Max: 1000}
}

var trafficStage = flow.Derive("traffic", "what PEs sent to each other and what they had to do, interval by interval",
	flow.In(view.Trace, view.RunStage, view.SpawnTree),
	flow.Params{bodiesAre.Name, pace.Name},
	func(c *flow.Call[*source]) (*source, error) {
		src := view.Trace.In(c)
		o := traffic.Options{Limit: 1 << 20}
		if grows, _ := store.Grows(src); grows && c.Params.Text(pace.Name) == "auto" || c.Params.Text(pace.Name) == "live" {
			o = traffic.Options{Limit: 1 << 21, Lasting: true}
		}
		return sourceOf(view.RunStage.In(c), view.SpawnTree.In(c), src, c.Prev, o, c.Params, c.Tick)
	})

// moved is a motion, or why there is none.
type moved struct {
	*Motion
	procedures []uint32 // by body; nil where bodies are PEs
	wrong      error
}

// why is the same as a sentence.
func (m *moved) why() string { return view.Capital(m.wrong.Error()) + "." }

var motionStage = flow.Derive("motion", "how bodies move under the traffic",
	flow.In(view.RunStage, trafficStage),
	flow.Params{model.Name, force.Name, mass.Name, pulled.Name, repulsion.Name, attraction.Name, friction.Name, elastic.Name},
	func(c *flow.Call[*moved]) (*moved, error) {
		run, src := view.RunStage.In(c), trafficStage.In(c)
		t := src.Traffic
		m := mapping(&run.Meta, src, c.Params)
		if src.procedures != nil {
			if err := src.check(); err != nil {
				return &moved{procedures: src.procedures, wrong: err}, nil
			}
		}
		if err := m.Check(t); err != nil {
			return &moved{procedures: src.procedures, wrong: err}, nil
		}
		var before *Motion
		if c.Prev != nil {
			before = c.Prev.Motion
		}
		mo, err := Grow(&run.Meta, t, m, before, c.Tick)
		return &moved{Motion: mo, procedures: src.procedures}, err
	})

// mapping is what the parameters say.
func mapping(meta *tracer.Meta, s *source, p flow.Values) Mapping {
	m, t := Cube(), s.Traffic
	placed := s.procedures == nil && slices.ContainsFunc(meta.PEInfo, func(pe tracer.PE) bool { return len(pe.Coords) > 0 }) && t.Group == 1
	if which := p.Text(model.Name); which == "mesh" || which == "auto" && placed {
		m = Mesh()
	}
	if s.procedures != nil {
		m = Calls()
		if t.Ticks() {
			m.Mass = "ticks"
		}
	}
	if f := p.Text(force.Name); f != "auto" {
		m.Force = f
	} else if t.Bytes == 0 {
		m.Force = "messages"
	}
	if w := p.Text(mass.Name); w != "auto" {
		m.Mass = w
	}
	switch p.Text(pulled.Name) {
	case "sender":
		m.Symmetric = false
	case "both":
		m.Symmetric = true
	}
	// Repulsion adds up over all bodies and traffic over those that one sends to: so that many stand as few do, each has less of it.
	usual := 8.0
	if m.Links {
		usual = 27
	}
	m.Repulsion *= p.Float(repulsion.Name) * math.Cbrt(min(usual/float64(max(t.Nodes(), 1)), 1))
	m.Attraction *= p.Float(attraction.Name)
	m.Friction *= p.Float(friction.Name)
	m.Elastic *= p.Float(elastic.Name)
	return m
}

var geometryStage = flow.Derive("bodies", "the bodies with their colours",
	flow.In(view.RunStage, view.PEStage, motionStage, view.ProcedureStage),
	flow.Params{colorBy.Name, trails.Name, labels.Name, lines.Name, fast.Name, reach[0].Name, reach[1].Name, reach[2].Name, heard.Name, loadFast.Name, loadAt.Name, model.Name, view.Palette.Name, view.Background.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p := c.Params
		scheme, _, _ := palette.Named(p.Text(view.Palette.Name))
		dark := p.Text(view.Background.Name) == "dark"
		g := &Geometry{
			run: view.RunStage.In(c), moved: motionStage.In(c), by: p.Text(colorBy.Name), trails: p.Bool(trails.Name), labels: p.Bool(labels.Name), lines: p.Bool(lines.Name),
			model: p.Text(model.Name), scheme: scheme, pes: view.PEStage.In(c).Colours(scheme, dark), far: 1,
		}
		if g.procedures != nil {
			g.ranks = view.ProcedureStage.In(c)
			g.hues = g.ranks.Colours(scheme, dark)
		}
		if g.Motion != nil {
			g.far = g.reach()
			g.watch(p.Float(fast.Name), [3]float64{p.Float(reach[0].Name), p.Float(reach[1].Name), p.Float(reach[2].Name)})
			g.hear(p)
		}
		return g, nil
	})

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Doubter
	view.Sounder
} = (*Geometry)(nil)

// Geometry is what the view draws.
type Geometry struct {
	*moved
	run            *view.Run
	by, model      string
	trails, labels bool
	lines          bool
	scheme         palette.Scheme
	pes            view.PEColours
	ranks          *view.Procedures // where bodies are procedures
	hues           []scene.Color
	far            float64 // how far from their centre bodies come
	watched        []watched
	noises         []noise
	mute           string // why there are none, where the parameters say that
}

// radius is that of a body of mass 1, of the distance of the bodies at the beginning.
const radius = 0.17

// Wrong is why there is nothing that moves.
func (g *Geometry) Wrong() error { return g.wrong }

// Bounds returns a square around the bodies, wherever they come in the run, and room for the lines below it. The
// world's unit is that of the model, in the plane through the centre of the bodies; a camera has the side from which
// they are seen, too.
func (g *Geometry) Bounds() scene.Rect {
	r := 1.15 * g.far
	b := scene.Rect{X0: -r, Y0: -r, X1: r, Y1: r}
	if g.lines && g.Motion != nil {
		b.Y1 += 2 * r * stripShare / (1 - stripShare)
	}
	return b
}

// reach is how far from their centre the bodies come; a while in which they are much further away than else does not count.
func (g *Geometry) reach() float64 {
	var far []float64
	for i := range g.kept {
		far = append(far, g.kept[i].far)
	}
	slices.Sort(far)
	r := max(min(far[len(far)-1], 1.5*far[len(far)*9/10]), outermost(g.Start)) + radius*g.Length
	if g.Traffic.Epoch > 0 { // in few steps, so that the picture stands still while a run goes on
		r = math.Pow(1.5, math.Ceil(math.Log(r)/math.Log(1.5)))
	}
	return r
}

// outermost is how far the outermost of bodies is from their centre; of very many, all but a hundredth.
func outermost(x []nbody.Vec) float64 {
	c := nbody.Centre(x)
	far := make([]float64, len(x))
	for i := range x {
		far[i] = distance(x[i], c)
	}
	slices.Sort(far)
	return far[len(far)-1-len(far)/100]
}
