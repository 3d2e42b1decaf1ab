package paje

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// A state identifies the time that a container spent in states of a name and a type, and in no inner ones. The sums are over all types.
type state struct{ kind, container, name string }

// oracle adds up the states of a file in the plainest way: by one stack for each container and type. unit is the length of a unit of time in ns.
func oracle(t *testing.T, text string, unit float64) map[state]int64 {
	t.Helper()
	type layout struct {
		name   string
		fields []string
	}
	type open struct {
		stack []string
		since float64
	}
	sums := map[state]float64{}
	layouts, names, containers := map[string]*layout{}, map[string]string{}, map[string]string{}
	parents := map[string]string{} // by name
	states := map[state]*open{}
	var defined *layout
	last := 0.0
	enter := func(key state, at float64, change func(*open)) {
		o := states[key]
		if o == nil {
			o = &open{}
			states[key] = o
		}
		if n := len(o.stack); n > 0 {
			sums[state{"", key.container, o.stack[n-1]}] += at - o.since
		}
		o.since = at
		change(o)
	}
	for line := range strings.Lines(text) {
		var words []string
		for i, part := range strings.Split(strings.TrimSpace(line), `"`) {
			if i%2 == 1 {
				words = append(words, part)
			} else {
				words = append(words, strings.Fields(part)...)
			}
		}
		switch {
		case len(words) == 0 || words[0][0] == '#':
			continue
		case words[0] == "%EventDef":
			defined = &layout{name: words[1]}
			layouts[words[2]] = defined
			continue
		case words[0] == "%EndEventDef":
			continue
		case words[0][0] == '%':
			if len(words) == 1 {
				t.Fatalf("%q", line)
			}
			field := words[0][1:]
			if field == "" {
				field = words[1]
			}
			defined.fields = append(defined.fields, field)
			continue
		}
		l, get := layouts[words[0]], map[string]string{}
		for i, f := range l.fields {
			if i+1 < len(words) {
				get[f] = words[i+1]
			}
		}
		at, _ := strconv.ParseFloat(get["Time"], 64)
		at *= unit
		last = max(last, at)
		key := state{names[get["Type"]], containers[get["Container"]], ""}
		named := func(alias string) string {
			if n, ok := names[get["Type"]+" "+alias]; ok {
				return n
			}
			return alias
		}
		switch l.name {
		case "PajeCreateContainer":
			containers[get["Alias"]], parents[get["Name"]] = get["Name"], containers[get["Container"]]
		case "PajeDefineContainerType", "PajeDefineStateType":
			names[get["Alias"]] = get["Name"]
		case "PajeDefineEntityValue":
			names[get["Type"]+" "+get["Alias"]] = get["Name"]
		case "PajeSetState":
			enter(key, at, func(o *open) { o.stack = []string{named(get["Value"])} })
		case "PajePushState":
			enter(key, at, func(o *open) { o.stack = append(o.stack, named(get["Value"])) })
		case "PajePopState":
			enter(key, at, func(o *open) { o.stack = o.stack[:max(len(o.stack)-1, 0)] })
		case "PajeDestroyContainer":
			name := get["Name"]
			if n, ok := containers[name]; ok {
				name = n
			}
			for k := range states { // each on its own
				for c := k.container; c != ""; c = parents[c] {
					if c == name {
						enter(k, at, func(o *open) { o.stack = nil })
						break
					}
				}
			}
		}
	}
	for k := range states {
		enter(k, last, func(o *open) { o.stack = nil })
	}
	whole := map[state]int64{}
	for k, x := range sums {
		if ns := int64(math.Round(x)); ns > 0 {
			whole[k] = ns
		}
	}
	return whole
}

// TestTimes compares the time that each container spends in each state with the sums of the plain reader.
func TestTimes(t *testing.T) {
	for _, path := range real {
		b := file(t, path)
		unit := 1e9
		if strings.Contains(path, "starpu") {
			unit = 1e6
		}
		m := parsed(t, b)
		meta, dict := m.Meta(), m.Dict()
		got := map[state]int64{}
		for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Sample)) {
			kind := dict.Code(e.Code).Name
			name := dict.Code(dict.Context(uint32(e.Ref)).Code).Name
			if kind == "waiting" || kind == "forks" || name == "MPI" || name == "User Thread" { // outside of states
				continue
			}
			got[state{"", strings.TrimSpace(meta.PEInfo[e.PE].Thread), name}] += e.Value
		}
		want := oracle(t, string(b), unit)
		if len(want) < 8 {
			t.Errorf("%s: %d sums", path, len(want))
		}
		for k, w := range want {
			k.container = strings.TrimSpace(k.container)
			if g := got[k]; g < w-100 || g > w+100 { // a file has times of fewer digits
				t.Errorf("%s: %v: %d ns, expected %d", path, k, g, w)
			}
			delete(got, k)
		}
		for k, g := range got {
			t.Errorf("%s: %v: %d ns, expected none", path, k, g)
		}
	}
}
