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

// Each moment of a measure sounds as one tone. The tone comes from the body that contributes most to the moment, and moves with that body.
// The listener is in the direction of the viewer, but nearer, so that the sides can be told apart.

// voices holds the sound of each measure: the timbre, and the step of the scale on which its pitches start.
var voices = map[string]struct {
	timbre sound.Timbre
	step   int
}{
	"spread":    {sound.Reed, 0},
	"traffic":   {sound.Wood, 5},
	"imbalance": {sound.Glass, 8},
	"load":      {sound.Sine, 3},
}

// Constants of the tones.
const (
	lowestTone = 220 // Hz, the pitch of step 0
	toneLength = 800 * time.Millisecond
	toneVolume = 0.4 // of a single tone
	mostTones  = 8   // at one moment
	tonePlaces = 17  // points of the path of a tone
)

// Constants of the listener, in multiples of Geometry.far.
const (
	earAway    = 1.2 // distance from the centre if the picture shows all bodies; nearer tones are not louder
	soundSpeed = 20  // per second
)

// A noise is an audible moment of a measure of all bodies, or of the load of one body.
type noise struct {
	nbody.Moment
	measure string
	body    int32   // the origin of the sound
	weight  float64 // at one instant, the noises with the largest weights sound
}

// Parameters of the sound. Marks and sounds share the thresholds of the measures.
var (
	heard    = view.Param{Name: "heard", Label: "Audible measure", Doc: "measure whose moments are audible when the sound is on", Default: "all", Choices: []string{"all", "spread", "traffic", "imbalance", "load"}}
	loadFast = view.Param{
		Name: "loadfast", Label: "Sound load jumps (share)", Doc: "sound where the busy share of a PE changes by this within a sixtieth of the run; 0 turns this off", Default: 0.0, Max: 1,
	}
	loadAt = view.Param{Name: "loadat", Label: "Sound load at (share)", Doc: "sound where the busy share of a PE reaches this; 0 turns this off", Default: 0.0, Max: 1}
)

// findNoises finds all noises of the run, in order of time.
func (g *Geometry) findNoises(p flow.Values) {
	choice := p.Text(heard.Name)
	wanted := func(measure string) bool { return choice == "all" || choice == measure }
	g.mute = "all thresholds of the " + choice + " are 0 (" + fast.Name + ", " + choice + "at)"
	switch choice {
	case "all":
		g.mute = "all thresholds are 0 (fast, spreadat, trafficat, imbalanceat, loadfast, loadat)"
	case "load":
		g.mute = "all thresholds of the load are 0 (loadfast, loadat)"
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
			g.findLoadNoises(w)
		} else if choice == "load" {
			g.mute = "the load is audible for at most " + figures.Count(mostBalls) + " bodies, not " + figures.Count(int64(n))
		}
	}
	slices.SortStableFunc(g.noises, func(a, b noise) int { return a.Index - b.Index })
}

// findLoadNoises finds the moments of the load of each body: its busy share of the last ten intervals.
func (g *Geometry) findLoadNoises(w nbody.Watch) {
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
			g.noises = append(g.noises, noise{Moment: m, measure: "load", body: int32(body), weight: math.Abs(values[m.Index] - values[max(m.Index-following, 0)])})
		}
	}
}

// cause returns the body that contributes most to a moment: for the spread the one that moved most, for the traffic
// the one whose sending changed most, for the imbalance the one with the most load.
func (g *Geometry) cause(measure string, m nbody.Moment) int32 {
	score := make([]float64, len(g.Start))
	first := max(m.Index-following+1, 0)
	sign := -1.0
	if m.Up {
		sign = 1
	}
	switch measure {
	case "spread":
		add := func(interval int, sign float64) {
			x := g.keptAt(interval).x
			centre := nbody.Centre(x)
			for i := range x {
				score[i] += float64(sign * distance(x[i], centre))
			}
		}
		add(m.Index+1, sign)
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
		add(first, m.Index, sign)
		if first > 0 {
			add(max(first-following, 0), first-1, -sign)
		}
	default:
		loads, weight := g.Traffic.LoadsOf(first, m.Index), g.balanced()
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

// members returns the number of PEs of a body.
func (g *Geometry) members(body int) int {
	t := g.Traffic
	return min((body+1)*t.Group, t.PEs) - body*t.Group
}

// keptAt returns the last state kept at or before the beginning of an interval.
func (mo *Motion) keptAt(interval int) *state {
	return &mo.kept[min(max(interval, 0)/mo.every, len(mo.kept)-1)]
}

// course returns the position and velocity of a body relative to the centre, after a number of intervals, in units of
// the model. It interpolates kept states by Hermite's cubic. Before the beginning and after the end the body rests.
func (mo *Motion) course(body int32, intervals float64) sound.Place {
	about := func(s *state) (p sound.Place) {
		c, v := nbody.Centre(s.x), nbody.Centre(s.v)
		for k := range c {
			p.Position[k], p.Velocity[k] = s.x[body][k]-c[k], s.v[body][k]-v[k]
		}
		return p
	}
	if intervals <= 0 {
		return sound.Place{Position: about(&mo.kept[0]).Position}
	}
	if intervals >= float64(mo.Len) {
		return sound.Place{Position: about(&mo.end).Position}
	}
	i := min(int(intervals)/mo.every, len(mo.kept)-1)
	first, last, next := i*mo.every, mo.Len, &mo.end
	if i+1 < len(mo.kept) {
		last, next = first+mo.every, &mo.kept[i+1]
	}
	return sound.Between(about(&mo.kept[i]), about(next), (intervals-float64(first))/float64(last-first), mo.intervalTime()*float64(last-first))
}

// intervalsBefore returns the number of intervals before a time of the trace, with the fraction of the current one.
func (mo *Motion) intervalsBefore(time float64) float64 {
	t := mo.Traffic
	i := t.Interval(int64(min(max(time, float64(t.From)), float64(t.To))))
	return float64(i) + (time-float64(t.Begins(i)))/float64(t.Length(i, i))
}

// Ear returns the listener: in front of the middle of the picture, nearer as the picture is enlarged, and finally
// among the bodies.
func (g *Geometry) Ear(f *view.Frame) sound.Ear {
	s := bare(f, g)
	s.look(crowd{})
	all := view.Fit(g.BoundsAt(f.Until), f.Area, s.em/2)
	x, y, away := f.Camera.X-all.X, f.Camera.Y-all.Y, earAway*g.far*all.Scale/s.eye.scale
	e := sound.Ear{Near: earAway * g.far, Speed: soundSpeed * g.far}
	for k := range e.Position {
		e.Right[k], e.Front[k] = s.eye.right[k], -s.eye.out[k]
		e.Position[k] = float64(away*s.eye.out[k]) + float64(x*s.eye.right[k]) - float64(y*s.eye.up[k])
	}
	return e
}

// Sounds returns the tones of the moments after one time of the trace up to another, which play within the duration
// lasts. Consecutive calls return each moment once.
func (g *Geometry) Sounds(_ *view.Frame, after, until int64, lasts time.Duration) (tones []sound.Tone) {
	if g.Motion == nil || until <= after || lasts <= 0 {
		return nil
	}
	ends := func(n *noise) int64 { return min(g.Traffic.Begins(n.Index+1), g.Traffic.To) }
	first := sort.Search(len(g.noises), func(i int) bool { return ends(&g.noises[i]) > after })
	perSecond := (float64(until) - float64(after)) / lasts.Seconds()
	for rest := g.noises[first:]; len(rest) > 0 && ends(&rest[0]) <= until; {
		n := 1
		for n < len(rest) && rest[n].Index == rest[0].Index {
			n++
		}
		together := slices.Clone(rest[:n])
		rest = rest[n:]
		slices.SortStableFunc(together, func(a, b noise) int { return cmp.Compare(b.weight, a.weight) })
		together = together[:min(n, mostTones)]
		for i := range together {
			end := float64(ends(&together[i]))
			t := g.tone(&together[i], end, perSecond)
			t.Start = time.Duration((end - float64(after)) / perSecond * float64(time.Second))
			t.Volume = toneVolume / (1 + 0.2*float64(len(together)-1))
			tones = append(tones, t)
		}
	}
	return tones
}

// Known returns the end of the last complete interval.
func (g *Geometry) Known() int64 {
	if g.Motion == nil {
		return math.MinInt64
	}
	return min(g.Traffic.Begins(g.Len), g.Traffic.To)
}

// Mute returns the reason why nothing can be heard: there is no motion, or no threshold is set. It returns "" if there
// is none.
func (g *Geometry) Mute() string {
	if g.Motion == nil {
		return g.wrong.Error()
	}
	return g.mute
}

// pitch returns the pitch of a noise in Hz.
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

// tone returns the tone of a noise that begins at a time of the trace. perSecond is the trace time in ns that plays in
// a second.
func (g *Geometry) tone(n *noise, begin, perSecond float64) sound.Tone {
	t := sound.Tone{Length: toneLength, Pitch: n.pitch(), Timbre: voices[n.measure].timbre, Way: make([]sound.Place, tonePlaces)}
	if len(g.Start) > mostBalls {
		t.Way = t.Way[:3] // computing the centre of many bodies is slow
	}
	for k := range t.Way {
		later := begin + float64(k)/float64(len(t.Way)-1)*toneLength.Seconds()*perSecond
		p := g.course(n.body, g.intervalsBefore(later))
		i := g.Traffic.Interval(int64(min(later, float64(g.Traffic.To))))
		for d := range p.Velocity { // from model time to the listener's
			p.Velocity[d] *= g.intervalTime() * perSecond / float64(g.Traffic.Length(i, i))
		}
		t.Way[k] = p
	}
	return t
}
