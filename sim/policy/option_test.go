package policy_test

import (
	"strings"
	"testing"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/sim/testdata/toy"
	"whorl/tracer/testdata/tracertest"
)

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		want policy.OnDemand
	}{
		{"on-demand:ask=next", policy.OnDemand{Victim: policy.FromNext}},
		{"on-demand:ask=longest:home=sleeper", policy.OnDemand{Victim: policy.Longest}},
		{"on-demand:body=reversed", policy.OnDemand{Goals: sim.Goals{Reversed: true}}},
		{"on-demand:resume=first", policy.OnDemand{Goals: sim.Goals{Resumed: sim.First}}},
		{"on-demand:home=binder:resume=last", policy.OnDemand{Goals: sim.Goals{Binder: true, Resumed: sim.Last}}},
	} {
		p := named(t, c.name)
		if p != c.want || p.Traits().Goals != c.want.Goals || !p.Traits().LIFO || !p.Traits().Stays {
			t.Errorf("%s is %+v with the traits %+v, want %+v", c.name, p, p.Traits(), c.want)
		}
		if _, err := policy.Unordered(c.name); (err == nil) != (c.want.Goals == sim.Goals{}) {
			t.Errorf("%s for threads: %v", c.name, err)
		}
	}
	for _, o := range policy.Options { // the first value of each option is the default
		if p := named(t, "on-demand:"+o.Name+"="+o.Values[0].Name); p != named(t, "on-demand") {
			t.Errorf("the default of %s gives %+v", o.Name, p)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"on-demand:", `option "" of the policy on-demand: expected OPTION=VALUE, such as ask=next`},
		{"on-demand:next", `option "next" of the policy on-demand: expected OPTION=VALUE`},
		{"on-demand:aks=next", `unknown option of the policy on-demand "aks"; did you mean ask?`},
		{"on-demand:ask=nxt", `unknown value of the option ask "nxt"; did you mean next?`},
		{"on-demand:ask=next:ask=next", "the option ask of the policy on-demand is given twice"},
		{"steal:ask=next", "the policy steal has no options; on-demand has some"},
		{"stael:ask=next", `unknown policy "stael"; did you mean steal?`},
	} {
		if _, err := policy.Named(c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("policy %q: error %v, want %s", c.name, err, c.want)
		}
		if _, err := policy.Unordered(c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("policy %q for threads: error %v, want %s", c.name, err, c.want)
		}
	}
}

// queues is a view of PEs of which some offer works.
type queues struct {
	sim.View
	load []int
}

func (q queues) PEs() int        { return len(q.load) }
func (q queues) Load(pe int) int { return q.load[pe] }
func (q queues) Offered(after int) int {
	for k := 1; k <= len(q.load); k++ {
		if i := (after + k) % len(q.load); q.load[i] > 0 {
			return i
		}
	}
	return -1
}

func TestVictims(t *testing.T) {
	for _, c := range []struct {
		name string
		load []int
		want int
	}{
		{"on-demand:ask=next", []int{5, 0, 0, 1, 7}, 3},
		{"on-demand:ask=next", []int{5, 0, 0, 0, 0}, 0},
		{"on-demand:ask=next", []int{0, 0, 0, 0, 0}, sim.Later},
		{"on-demand:ask=longest", []int{5, 0, 0, 1, 7}, 4},
		{"on-demand:ask=longest", []int{5, 0, 0, 5, 1}, 0},
		{"on-demand:ask=longest", []int{0, 0, 0, 3, 0}, 3},
		{"on-demand:ask=longest", []int{0, 0, 0, 0, 0}, sim.Later},
	} {
		if a := named(t, c.name).Idle(queues{load: c.load}, &sim.Self{PE: 2}); a.From != c.want {
			t.Errorf("%s with queues of %v asks %d, want %d", c.name, c.load, a.From, c.want)
		}
	}
}

// The policy with each way of asking runs every task, and the two that draw no random numbers give the same run for any seed.
func TestWaysOfAsking(t *testing.T) {
	for _, v := range policy.Options[0].Values {
		name := "on-demand:ask=" + v.Name
		trace := func(seed uint64) string {
			return tracertest.Text(t, run(t, sim.Config{Policy: named(t, name), Model: model, Seed: seed}, "torus2d", 12, toy.Binary(8)))
		}
		same := trace(1) == trace(2) && trace(1) == trace(3)
		if same != (v.Name != "random") {
			t.Errorf("%s: seeds give the same trace: %v", name, same)
		}
	}
}
