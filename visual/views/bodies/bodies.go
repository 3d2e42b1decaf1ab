// Package bodies shows PEs as bodies that move in three dimensions (Osawa, Morita and Yuba, "Animation for performance
// debugging of parallel computing systems", 1997). Traffic pulls a sender towards its receivers, bodies repel each
// other, and friction slows them. Balanced communication keeps the bodies in a regular shape; unbalanced communication
// distorts it, in space and in time.
package bodies

import (
	"math"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/traffic"
	"whorl/tracer/store"
	"whorl/visual/flow"
	"whorl/visual/icon"
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
		Doc:   "PEs as bodies in three dimensions that traffic pulls together: balanced communication keeps a regular shape",
		Icon:  icon.Bodies,
		Positions: []view.Position{
			{In: view.Goals, Rank: 1, Needs: tracer.Kinds(tracer.Send)},
			{In: view.Threads, Rank: 1, Needs: tracer.Kinds(tracer.Send)},
			{In: view.Compared, Rank: 1, Needs: tracer.Kinds(tracer.Send)},
			{In: view.Communication, Set: "color=traffic"},
			{In: view.Policies, Rank: 3},
		},
		Examples: []string{"hpf/jacobi"},
		Needs:    []tracer.KindSet{tracer.Kinds(tracer.Send), tracer.Kinds(tracer.Move), tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Start)},
		Picture:  view.Draws(geometryStage),
		Params:   []view.Param{bodyKind, model, force, mass, pulled, repulsion, attraction, friction, elastic, pace, colorBy, trails, labels, lines, fast, thresholds[0], thresholds[1], thresholds[2], heard, loadFast, loadAt, view.Palette, view.Background},
		Keys:     keys,
		Space:    true,
	}
}

var keys = []view.Key{
	{Key: "y", Doc: "next colouring: by load, traffic or PE"},
	{Key: "t", Doc: "show or hide the trails"},
	{Key: "l", Doc: "show or hide the labels"},
	{Key: "b", Doc: "show or hide the measures below the bodies"},
	{Key: "w", Doc: "make the selected time the window of all views, or remove the window"},
	{Key: "g", Doc: "switch the geometry: auto, cube or mesh"},
}

// Parameters of the view. The constants of the equation of motion are factors of the model's own constants.
var (
	model = view.Param{
		Name: "model", Label: "Model", Doc: "equation of motion: cube has free bodies; mesh joins neighbours in the network; auto is mesh if the PEs have coordinates in a network, else cube",
		Default: "auto", Choices: []string{"auto", "cube", "mesh"},
	}
	force = view.Param{Name: "force", Label: "Force from", Doc: "measure of traffic that pulls a body; auto is bytes, or messages if all messages are empty", Default: "auto", Choices: append([]string{"auto"}, forces...)}
	mass  = view.Param{
		Name: "mass", Label: "Mass from", Doc: "measure of load that makes a body heavy; heavy bodies move less; auto is nothing for a cube and busy time for a mesh",
		Default: "auto", Choices: append([]string{"auto"}, masses...),
	}
	pulled = view.Param{
		Name: "pulled", Label: "Traffic pulls", Doc: "end that traffic pulls: the sender alone, or both ends; auto is the sender in a cube and both in a mesh",
		Default: "auto", Choices: []string{"auto", "sender", "both"},
	}
	repulsion  = factor("repulsion", "Repulsion (factor)", "strength of the repulsion between bodies")
	attraction = factor("attraction", "Attraction (factor)", "strength of the pull of traffic")
	friction   = factor("friction", "Friction (factor)", "strength of the friction")
	elastic    = factor("elastic", "Elastic links (factor)", "strength of the elastic links of a mesh")

	pace = view.Param{
		Name: "pace", Label: "Time scale", Doc: "run gives the whole run 60 time units; live gives it 30 more each time it doubles in length, so that earlier motion stays the same while it grows; auto is live for a growing trace",
		Default: "auto", Choices: []string{"auto", "run", "live"},
	}

	colorBy = view.Param{Name: "color", Label: "Colour by", Doc: "meaning of the colour of a body; pe means the procedure if bodies are procedures", Default: "load", Choices: []string{"load", "traffic", "pe"}}
	trails  = view.Param{Name: "trails", Label: "Trails", Doc: "show the recent paths of the bodies", Default: true}
	labels  = view.Param{Name: "labels", Label: "Labels", Doc: "show the number or the name of each body", Default: true}

	lines = view.Param{Name: "measures", Label: "Measures", Doc: "plot the spread, the traffic and the imbalance below the bodies", Default: true}
	fast  = view.Param{
		Name: "fast", Label: "Mark changes of (share)", Doc: "mark where a measure changes by this fraction of its maximum within a sixtieth of the run; 0 turns this off", Default: Fast, Max: 1,
	}
	// thresholds are the values at which the measures are marked, in the order of Motion.Measures.
	thresholds = [3]view.Param{
		{Name: "spreadat", Label: "Mark spread at (× start)", Doc: "mark where the spread reaches this multiple of its start; 0 turns this off", Default: 0.0, Max: 1000},
		{Name: "trafficat", Label: "Mark traffic at (× mean)", Doc: "mark where the traffic reaches this multiple of the mean; 0 turns this off", Default: 0.0, Max: 1000},
		{Name: "imbalanceat", Label: "Imbalance mark (0 to 1)", Doc: "mark where the imbalance reaches this value (1 approaches all work on one PE); 0 turns this off", Default: 0.0, Max: 1},
	}
)

// factor returns a parameter that scales a constant of the model.
func factor(name, label, doc string) view.Param {
	return view.Param{Name: name, Label: label, Doc: doc + ", as a factor of the constant of the model", Default: 1.0, Max: 1000}
}

var trafficStage = flow.Derive("traffic", "traffic between bodies and the load of each, by interval",
	flow.In(view.Trace, view.RunStage, view.SpawnTree),
	flow.Params{bodyKind.Name, pace.Name},
	func(c *flow.Call[*source]) (*source, error) {
		src := view.Trace.In(c)
		o := traffic.Options{Limit: 1 << 20}
		if grows, _ := store.Grows(src); grows && c.Params.Text(pace.Name) == "auto" || c.Params.Text(pace.Name) == "live" {
			o = traffic.Options{Limit: 1 << 21, Lasting: true}
		}
		return sourceOf(view.RunStage.In(c), view.SpawnTree.In(c), src, c.Prev, o, c.Params, c.Tick)
	})

// A moved is the motion of a run, or the reason why there is none.
type moved struct {
	*Motion
	procedures []uint32 // by body; nil where bodies are PEs
	wrong      error    // nil if there is a motion
}

// why returns the reason as a sentence.
func (m *moved) why() string { return view.Capital(m.wrong.Error()) + "." }

var motionStage = flow.Derive("motion", "motion of the bodies",
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

// mapping returns the mapping that the parameters select.
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
	// Repulsion adds up over all bodies, but traffic only over the receivers. Reduce repulsion where there are many
	// bodies, so that they keep the proportions of few.
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

var geometryStage = flow.Derive("bodies", "bodies and their colours",
	flow.In(view.RunStage, view.PEStage, motionStage, view.ProcedureStage),
	flow.Params{colorBy.Name, trails.Name, labels.Name, lines.Name, fast.Name, thresholds[0].Name, thresholds[1].Name, thresholds[2].Name, heard.Name, loadFast.Name, loadAt.Name, model.Name, view.Palette.Name, view.Background.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p := c.Params
		scheme, _ := palette.Named(p.Text(view.Palette.Name))
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
			g.begin = crowdOf(g.Start)
			g.far = g.extent()
			g.reach = g.reaches()
			g.findMoments(p.Float(fast.Name), [3]float64{p.Float(thresholds[0].Name), p.Float(thresholds[1].Name), p.Float(thresholds[2].Name)})
			g.findNoises(p)
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

// Geometry is the picture of the bodies of a run.
type Geometry struct {
	*moved
	run            *view.Run
	by, model      string
	trails, labels bool
	lines          bool
	scheme         palette.Scheme
	pes            view.PEColours
	ranks          *view.Procedures // nil unless bodies are procedures
	hues           []scene.Color
	begin          crowd     // at the start
	far            float64   // radius of the space around the centre that the bodies use
	reach          []float64 // by kept state: radius of the space that the bodies use about that time
	watched        []watched
	noises         []noise
	mute           string // reason why there are no noises, if a parameter causes that
}

// movesUntil returns the number of moves that the bodies have made at a time of the trace; nil is the end.
func (g *Geometry) movesUntil(until *int64) int {
	switch {
	case g.Motion == nil:
		return 0
	case until == nil:
		return g.Last()
	}
	return g.Moves(*until)
}

// margin is the room around the bodies, as a factor of the distance of the outermost one. The perspective magnifies the
// near half by up to 1.04.
const margin = 1.06

// radius is the radius of a body of mass 1, as a fraction of the initial distance between bodies.
const radius = 0.17

// Wrong returns the reason why there is no motion, or nil.
func (g *Geometry) Wrong() error { return g.wrong }

// Bounds returns a square around all positions of the bodies in the run, with room below it for the measures. A world
// unit is one unit of the model, in the plane through the centre of the bodies. The camera also has the direction from
// which the bodies are seen.
func (g *Geometry) Bounds() scene.Rect { return g.around(g.far) }

// BoundsAt implements view.Moving: the bodies at each time fill the picture.
func (g *Geometry) BoundsAt(until *int64) scene.Rect { return g.around(g.reachAt(g.movesUntil(until))) }

// Middle implements view.Moving.
func (g *Geometry) Middle() int64 {
	return g.run.From + (g.run.To-g.run.From)/2
}

// around returns a square that shows bodies up to the given distance from the centre, with room for the measures.
func (g *Geometry) around(far float64) scene.Rect {
	r := margin * far
	b := scene.Rect{X0: -r, Y0: -r, X1: r, Y1: r}
	if g.lines && g.Motion != nil {
		b.Y1 += 2 * r * stripShare / (1 - stripShare)
	}
	return b
}

// extent returns the largest distance of a body from the centre. It ignores short periods when bodies are much
// further away than usual.
func (g *Geometry) extent() float64 {
	var far []float64
	for i := range g.kept {
		far = append(far, g.kept[i].far)
	}
	slices.Sort(far)
	r := max(min(far[len(far)-1], 1.5*far[len(far)*9/10]), g.begin.outer) + radius*g.Length
	if g.Traffic.Epoch > 0 { // few steps, so that the scale seldom changes while a run grows
		r = math.Pow(1.5, math.Ceil(math.Log(r)/math.Log(1.5)))
	}
	return r
}

// reaches returns a bound of the distance of the outermost body from the centre, at each kept state and at the end: the
// distance then, or its mean over two time units of the model where that is larger, so that the scale changes calmly.
func (g *Geometry) reaches() []float64 {
	far := make([]float64, len(g.kept)+1)
	for i := range g.kept {
		far[i] = g.kept[i].far
	}
	far[len(g.kept)] = g.end.far
	reach := make([]float64, len(far))
	for i := range far {
		around := min(max(following/g.every, 1), i, len(far)-1-i)
		about, sum := far[i-around:i+around+1], 0.0
		for _, d := range about {
			sum += d
		}
		reach[i] = max(far[i], sum/float64(len(about))) + radius*g.Length
	}
	return reach
}

// reachAt returns the radius of the space that the bodies use after a number of moves.
func (g *Geometry) reachAt(moves int) float64 {
	if len(g.reach) == 0 {
		return g.far
	}
	t := min(float64(moves)/float64(g.moves*g.every), float64(len(g.kept)-1)+1)
	i := min(int(t), len(g.reach)-2)
	r := g.reach[i] + (g.reach[i+1]-g.reach[i])*(t-float64(i))
	x := g.Places(moves)
	_, last := g.recent(moves)
	c, away := crowdOf(x), eyeAway*g.far
	sizes := g.sizes(&c, last)
	for k := range x { // heavy bodies are large, and the perspective magnifies the near half
		outer := min(c.drawn(distance(x[k], c.centre))+sizes[k], 0.9*away)
		r = max(r, outer/math.Sqrt(1-float64(outer*outer)/(away*away))/margin)
	}
	return r
}

// outermost returns the distance of the outermost body from the centre. It ignores those that are much further away than
// the outermost hundredth of many bodies.
func outermost(x []nbody.Vec) float64 {
	c := nbody.Centre(x)
	far := make([]float64, len(x))
	for i := range x {
		far[i] = distance(x[i], c)
	}
	slices.Sort(far)
	return min(far[len(far)-1], 1.5*far[len(far)-1-len(far)/100])
}
