package bodies

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"whorl/internal/figures"
	"whorl/visual/flow"
	"whorl/visual/layout/nbody"
	"whorl/visual/sound"
	"whorl/visual/view"
)

// The moments of the measures are heard, each as one tone. It comes from the body that has most to do with it, and goes along with that one
// while it sounds; who hears it stands where the picture is seen from, only nearer, so that sides are told apart.

// A voice is how the moments of a measure sound, by its name: the timbre, and the step of the scale from which the pitch tells what happens.
var voices = map[string]struct {
	timbre sound.Timbre
	step   int
}{
	"spread":    {sound.Reed, 0},
	"traffic":   {sound.Wood, 5},
	"imbalance": {sound.Glass, 8},
	"load":      {sound.Sine, 3},
}

// Of the tones: the pitch of step 0, how long they sound, how loud one alone is, how many sound of one moment, and how many places their
// ways have.
const (
	lowestTone = 220 // Hz
	toneLength = 800 * time.Millisecond
	toneVolume = 0.4
	mostTones  = 8
	tonePlaces = 17
)

// Of who hears, in how far the bodies come: how far the ear is from their centre where the picture shows all, within which tones are as loud as
// they are, and how far sound goes in a second.
const (
	earAway    = 1.2
	soundSpeed = 20
)

// A noise is a moment of a measure of all bodies, or of the load of one.
type noise struct {
	nbody.Moment
	measure string
	body    int32   // that it comes from
	weight  float64 // of two of the same instant that with more is louder
}

// Parameters of what is heard. The thresholds of the measures are those of their marks.
var (
	heard    = view.Param{Name: "heard", Doc: "which moments sound, with the sound on", Default: "all", Choices: []string{"all", "spread", "traffic", "imbalance", "load"}}
	loadFast = view.Param{
		Name: "loadfast", Doc: "sound where the busy share of a PE changes within a sixtieth of the run by this; 0 is nowhere", Default: 0.0, Max: 1,
	}
	loadAt = view.Param{Name: "loadat", Doc: "sound where the busy share of a PE comes to this; 0 is nowhere", Default: 0.0, Max: 1}
)

// hear finds all that there is to hear, in order.
func (g *Geometry) hear(p flow.Values) {
	what := p.Text(heard.Name)
	wanted := func(measure string) bool { return what == "all" || what == measure }
	g.mute = "no threshold of the " + what + " is more than 0 (" + fast.Name + ", " + what + "at)"
	switch what {
	case "all":
		g.mute = "no threshold is more than 0 (fast, spreadat, trafficat, imbalanceat, loadfast, loadat)"
	case "load":
		g.mute = "no threshold of the load is more than 0 (loadfast, loadat)"
	}
	for k := range g.watched {
		w := &g.watched[k]
		if !wanted(w.Name) {
			continue
		}
		if p.Float(fast.Name) > 0 || w.reach > 0 {
			g.mute = ""
		}
		for _, m := range w.moments {
			g.noises = append(g.noises, noise{Moment: m, measure: w.Name, body: g.cause(w.Name, m), weight: 1})
		}
	}
	if w := (nbody.Watch{Fast: p.Float(loadFast.Name), Window: following, Reach: p.Float(loadAt.Name)}); wanted("load") && (w.Fast > 0 || w.Reach > 0) {
		if n := len(g.Start); n <= mostBalls {
			g.mute = ""
			g.hearLoads(w)
		} else if what == "load" {
			g.mute = "the load is heard of up to " + figures.Count(mostBalls) + " bodies, and there are " + figures.Count(int64(n))
		}
	}
	slices.SortStableFunc(g.noises, func(a, b noise) int { return a.At - b.At })
}

// hearLoads finds the moments of the load of each body, the busy share of its last intervals.
func (g *Geometry) hearLoads(w nbody.Watch) {
	t := g.Traffic
	busy := make([][]int64, t.Nodes()) // by interval
	for i := range t.Loads {
		l := &t.Loads[i]
		if busy[l.Node] == nil {
			busy[l.Node] = make([]int64, t.Intervals) // at most mostBalls of them
		}
		busy[l.Node][l.Interval] += l.Busy
	}
	values := make([]float64, g.Len)
	for body, each := range busy {
		if each == nil {
			continue
		}
		var sum int64
		for i := range values {
			sum += each[i]
			if i >= following {
				sum -= each[i-following]
			}
			values[i] = float64(sum) / (float64(t.Length(max(i-following+1, 0), i)) * float64(g.members(body)))
		}
		for _, m := range nbody.Moments(values, w) {
			g.noises = append(g.noises, noise{Moment: m, measure: "load", body: int32(body), weight: math.Abs(values[m.At] - values[max(m.At-following, 0)])})
		}
	}
}

// cause is the body that has most to do with a moment of a measure: the one that has gone out or in most, that sends so much more or less, or
// that has most to do.
func (g *Geometry) cause(measure string, m nbody.Moment) int32 {
	score := make([]float64, len(g.Start))
	first := max(m.At-following+1, 0)
	sign := -1.0
	if m.Up {
		sign = 1
	}
	switch measure {
	case "spread":
		add := func(at int, sign float64) {
			x := g.keptAt(at).x
			centre := nbody.Centre(x)
			for i := range x {
				score[i] += float64(sign * distance(x[i], centre))
			}
		}
		add(m.At+1, sign)
		add(first, -sign)
	case "traffic":
		add := func(first, last int, sign float64) {
			flows := g.Traffic.FlowsOf(first, last)
			for i := range flows {
				if f := &flows[i]; f.From != f.To {
					score[f.From] += float64(sign * float64(g.amount(f)))
				}
			}
		}
		add(first, m.At, sign)
		if first > 0 {
			add(max(first-following, 0), first-1, -sign)
		}
	default:
		loads, weight := g.Traffic.LoadsOf(first, m.At), g.balanced()
		for i := range loads {
			score[loads[i].Node] += float64(weight(&loads[i]))
		}
	}
	best := 0
	for i := range score {
		if score[i] > score[best] {
			best = i
		}
	}
	return int32(best)
}

// members is how many PEs a body stands for.
func (g *Geometry) members(body int) int {
	t := g.Traffic
	return min((body+1)*t.Group, t.PEs) - body*t.Group
}

// keptAt is the state that is kept nearest before the beginning of an interval.
func (mo *Motion) keptAt(interval int) *state {
	return &mo.kept[min(max(interval, 0)/mo.every, len(mo.kept)-1)]
}

// course is where a body is, about the centre of all, some intervals after the beginning, and how it moves: between two states that are kept, by
// Hermite's cubic. Units are those of the model. Before the beginning and after the end it stays.
func (mo *Motion) course(body int32, intervals float64) sound.Place {
	about := func(s *state) (p sound.Place) {
		c, v := nbody.Centre(s.x), nbody.Centre(s.v)
		for k := range c {
			p.At[k], p.Velocity[k] = s.x[body][k]-c[k], s.v[body][k]-v[k]
		}
		return p
	}
	if intervals <= 0 {
		return sound.Place{At: about(&mo.kept[0]).At}
	}
	if intervals >= float64(mo.Len) {
		return sound.Place{At: about(&mo.end).At}
	}
	i := min(int(intervals)/mo.every, len(mo.kept)-1)
	first, last, next := i*mo.every, mo.Len, &mo.end
	if i+1 < len(mo.kept) {
		last, next = first+mo.every, &mo.kept[i+1]
	}
	return sound.Between(about(&mo.kept[i]), about(next), (intervals-float64(first))/float64(last-first), mo.lasts()*float64(last-first))
}

// passed is how many intervals have passed at a time of the trace.
func (mo *Motion) passed(at float64) float64 {
	t := mo.Traffic
	i := t.Interval(int64(min(max(at, float64(t.From)), float64(t.To))))
	return float64(i) + (at-float64(t.Begins(i)))/float64(t.Length(i, i))
}

// Ear is who hears the bodies: before the middle of the picture, and the nearer the more that is enlarged, in the end among them.
func (g *Geometry) Ear(f *view.Frame) sound.Ear {
	s := bare(f, g)
	s.look(nbody.Vec{})
	all := view.Fit(g.Bounds(), f.Area, s.em/2)
	x, y, away := f.Camera.X-all.X, f.Camera.Y-all.Y, earAway*g.far*all.Scale/s.eye.scale
	e := sound.Ear{Near: earAway * g.far, Speed: soundSpeed * g.far}
	for k := range e.At {
		e.Right[k], e.Front[k] = s.eye.right[k], -s.eye.out[k]
		e.At[k] = float64(away*s.eye.out[k]) + float64(x*s.eye.right[k]) - float64(y*s.eye.up[k])
	}
	return e
}

// Sounds are the tones of the moments after one time of the trace and until another, which play within some time: exactly one for each.
func (g *Geometry) Sounds(_ *view.Frame, after, until int64, lasts time.Duration) (tones []sound.Tone) {
	if g.Motion == nil || until <= after || lasts <= 0 {
		return nil
	}
	ends := func(n *noise) int64 { return min(g.Traffic.Begins(n.At+1), g.Traffic.To) }
	first := sort.Search(len(g.noises), func(i int) bool { return ends(&g.noises[i]) > after })
	perSecond := (float64(until) - float64(after)) / lasts.Seconds()
	for rest := g.noises[first:]; len(rest) > 0 && ends(&rest[0]) <= until; {
		n := 1
		for n < len(rest) && rest[n].At == rest[0].At {
			n++
		}
		together := slices.Clone(rest[:n])
		rest = rest[n:]
		slices.SortStableFunc(together, func(a, b noise) int { return cmp.Compare(b.weight, a.weight) })
		together = together[:min(n, mostTones)]
		for i := range together {
			at := float64(ends(&together[i]))
			t := g.tone(&together[i], at, perSecond)
			t.At = time.Duration((at - float64(after)) / perSecond * float64(time.Second))
			t.Volume = toneVolume / (1 + 0.2*float64(len(together)-1))
			tones = append(tones, t)
		}
	}
	return tones
}

// Known is the end of the intervals that are over.
func (g *Geometry) Known() int64 {
	if g.Motion == nil {
		return math.MinInt64
	}
	return min(g.Traffic.Begins(g.Len), g.Traffic.To)
}

// Mute says that bodies do not move, or that nobody has said what is to be heard.
func (g *Geometry) Mute() string {
	if g.Motion == nil {
		return g.wrong.Error()
	}
	return g.mute
}

// pitch is that of a noise, in Hz.
func (n *noise) pitch() float64 {
	step := voices[n.measure].step
	if n.Up {
		step += 2
	}
	if !n.Fast {
		step++
	}
	return sound.Degree(lowestTone, step)
}

// tone is that of a noise at a time of the trace, of which so many ns play in a second.
func (g *Geometry) tone(n *noise, at, perSecond float64) sound.Tone {
	t := sound.Tone{Length: toneLength, Pitch: n.pitch(), Timbre: voices[n.measure].timbre, Way: make([]sound.Place, tonePlaces)}
	if len(g.Start) > mostBalls {
		t.Way = t.Way[:3] // where the centre is takes long
	}
	for k := range t.Way {
		later := at + float64(k)/float64(len(t.Way)-1)*toneLength.Seconds()*perSecond
		p := g.course(n.body, g.passed(later))
		i := g.Traffic.Interval(int64(min(later, float64(g.Traffic.To))))
		for d := range p.Velocity { // from the model's time to that of who hears
			p.Velocity[d] *= g.lasts() * perSecond / float64(g.Traffic.Length(i, i))
		}
		t.Way[k] = p
	}
	return t
}
