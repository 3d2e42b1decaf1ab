package timeplot

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts/shares"
)

// Busy holds the meaning of the colours of busy time and the data for drawing them.
type Busy struct {
	By      string // value of ColorBy
	Run     *view.Run
	Act     *activity.Activity
	PEs     *view.PEs
	Classes *Classes // nil unless colours show procedures, or files, packages or kinds of code
	Scheme  palette.Scheme
	Rows    *TaskRows // nil if rows are PEs
}

// BusyStage derives the colours of busy time.
var BusyStage = flow.Derive("busy", "colours of busy time",
	flow.In(view.RunStage, ActivityStage, view.PEStage, view.ProcedureStage, TaskRowsStage),
	flow.Params{ColorBy.Name, view.Palette.Name},
	func(c *flow.Call[*Busy]) (*Busy, error) {
		scheme, err := palette.Named(c.Params.Text(view.Palette.Name))
		if err != nil {
			return nil, err
		}
		b := &Busy{By: c.Params.Text(ColorBy.Name), Run: view.RunStage.In(c), Act: ActivityStage.In(c), PEs: view.PEStage.In(c), Scheme: scheme, Rows: TaskRowsStage.In(c)}
		switch {
		case b.By == ByAuto && b.Act.Basis == account.Samples:
			b.By = ByProcedure
		case b.By == ByAuto:
			b.By = ByState
		}
		if b.Rows != nil && (b.By == ByPE || b.Rows.By == RowsByGroup) { // rows are no PEs
			b.By = ByProcedure
		}
		if b.By != ByState && b.By != ByPE {
			b.Classes = NewClasses(b.Act, b.ranks(view.ProcedureStage.In(c)), len(scheme.Set(false)))
		}
		return b, nil
	})

// ranks returns the classes of procedures that colours show, the one with the lowest rank first.
func (b *Busy) ranks(all *view.Procedures) *view.Procedures {
	run := b.Run
	name := run.Name
	switch b.By {
	case ByFile:
		name = func(code uint32) string {
			return cmp.Or(path.Base(strings.ReplaceAll(run.File(code), `\`, "/")), "unknown file")
		}
	case ByPackage:
		name = func(code uint32) string {
			return cmp.Or(shares.PackageOf(run.Short(code), run.File(code)), "unknown package")
		}
	case ByKind:
		name = func(code uint32) string { return shares.KindOf(run.Short(code), run.File(code)) }
	default:
		if len(all.Owners) > 0 {
			return all
		}
	}
	weight := make([]int64, len(run.Codes))
	for i := range b.Act.Lanes {
		steps := &b.Act.Lanes[i].Steps
		for k := range steps.Len() {
			s := steps.Step(k)
			switch {
			case int(s.Code) >= len(weight):
			case s.Kind == tracer.Sample && !b.Act.Lasting:
				weight[s.Code]++
			default:
				weight[s.Code] += s.End - s.Time
			}
		}
	}
	weight[0] = 0
	return view.NewGroups(run, weight, name)
}

// States returns the colours of the states of PEs.
func (b *Busy) States(dark bool) States {
	if b.By == ByState {
		return StateColours(dark)
	}
	return StateColours(dark).Apart(dark)
}

// Colors returns the colours of busy time: one for each group of PEs, one for each class, or a single one.
func (b *Busy) Colors(dark bool) []scene.Color {
	switch b.By {
	case ByPE:
		c := b.PEs.Colours(b.Scheme, dark)
		return c.Set
	case ByState:
		return []scene.Color{StateColours(dark).Busy}
	}
	return b.Classes.Colors(b.Scheme, dark)
}

// Blocks returns the legend blocks for the states and, if busy time has several colours, for PEs or procedures.
func (b *Busy) Blocks(dark bool) []view.Block {
	var total activity.Share
	for pe := range b.Act.PEs {
		total = Plus(total, b.Act.Total(pe))
	}
	states := b.States(dark).legend(total, b.Act.Separate)
	if b.Rows != nil {
		states.Swatches[len(states.Swatches)-1].Label = "waits or not alive"
	}
	var parts view.Block
	switch b.By {
	case ByPE:
		parts = b.peBlock(dark)
	case ByState:
		return []view.Block{states}
	default:
		parts = b.procedureBlock(dark)
	}
	busy := &states.Swatches[0]
	busy.Colors = nil
	for _, s := range parts.Swatches[:min(len(parts.Swatches), 4)] { // more would be too thin to see
		busy.Colors = append(busy.Colors, s.Colors...)
	}
	if busy.Label = "busy, by " + parts.Title; b.By != ByPE {
		busy.Label = strings.ToLower(busy.Label)
	}
	return []view.Block{states, parts}
}

// legend returns the legend block of the states, with the share and the time of each. If PEs have separate clocks, it has only the known times.
func (s States) legend(total activity.Share, separate bool) view.Block {
	b := view.Block{Title: "State", Columns: []string{"share", "time"}}
	var parts, wholes []int64
	row := func(label string, c scene.Color, part int64) {
		b.Swatches = append(b.Swatches, view.Swatch{Colors: []scene.Color{c}, Label: label})
		parts, wholes = append(parts, part), append(wholes, total.Busy+total.Over+total.Idle)
	}
	row("busy", s.Busy, total.Busy)
	if total.Over > 0 {
		row("overhead", s.Over, total.Over)
	}
	row("idle", s.Idle, total.Idle)
	if separate { // the idle time is unknown
		return timed(b, parts[:len(parts)-1])
	}
	return numbered(b, parts, wholes)
}

// numbered sets the values of each swatch of a block: its part as a share of its whole, and as a duration.
func numbered(b view.Block, parts, wholes []int64) view.Block {
	share, time := figures.Percents(parts, wholes), figures.Durations(parts)
	for i := range b.Swatches {
		b.Swatches[i].Values = []string{share[i], time[i]}
	}
	return b
}

// timed sets the values of the first swatches of a block: their times, without shares, because the wholes are unknown.
func timed(b view.Block, times []int64) view.Block {
	b.Columns = []string{"time"}
	for i, text := range figures.Durations(times) {
		b.Swatches[i].Values = []string{text}
	}
	return b
}

func (b *Busy) peBlock(dark bool) view.Block {
	pes := b.PEs.Colours(b.Scheme, dark)
	block := view.Block{Title: "PE", Columns: []string{"busy", "time"}}
	busy, whole := make([]int64, len(pes.Set)), make([]int64, len(pes.Set))
	for k := range busy {
		first, last := pes.Span(k)
		for pe := first; pe <= min(last, b.Act.PEs-1); pe++ {
			s := b.Act.Total(pe)
			busy[k], whole[k] = busy[k]+s.Busy, whole[k]+s.Busy+s.Over+s.Idle
		}
		block.Swatches = append(block.Swatches, view.Swatch{Colors: pes.Set[k : k+1], Label: pes.Label(k)})
	}
	if note := pes.Note(); note != "" {
		block.Notes = append(block.Notes, note)
	}
	if b.Act.Separate {
		return timed(block, busy)
	}
	return numbered(block, busy, whole)
}

// procedureBlock lists the classes with busy time, largest first, with the share of each in all busy time.
func (b *Busy) procedureBlock(dark bool) view.Block {
	block := view.Block{Title: b.classTitle(), Columns: []string{"busy", "time"}}
	colors := b.Colors(dark)
	var times, wholes []int64
	totals := b.Classes.Total()
	all := int64(0)
	for _, t := range totals {
		all += t
	}
	classes := make([]int, len(totals))
	for class := range classes {
		classes[class] = class
	}
	slices.SortStableFunc(classes[:max(len(classes)-1, 0)], func(a, b int) int { return cmp.Compare(totals[b], totals[a]) }) // the others stay last
	for _, class := range classes {
		if t := totals[class]; t > 0 {
			block.Swatches = append(block.Swatches, view.Swatch{Colors: colors[class : class+1], Label: b.ClassName(class)})
			times, wholes = append(times, t), append(wholes, all)
		}
	}
	return numbered(block, times, wholes)
}

// classTitle names the classes.
func (b *Busy) classTitle() string {
	switch b.By {
	case ByFile:
		return "File"
	case ByPackage:
		return "Package"
	case ByKind:
		return "Kind of code"
	}
	return view.Capital(b.Run.Unit())
}

// ClassName returns the name of a class: that of its procedure, or "others".
func (b *Busy) ClassName(class int) string {
	if class < b.Classes.N-1 {
		return b.Classes.ranks.Name(b.Run, class)
	}
	return "others"
}
