package conformance_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"whorl/fghc/testdata/nativetest"
	"whorl/sim/policy"
	"whorl/testdata/testenv"
)

// TestRandomProgramsNative takes few programs, since compiling the functions of one takes a quarter of a second. Those of salt 27 reach as many
// statements of fghc/native as 60 of other salts.
func TestRandomProgramsNative(t *testing.T) { tryNative(t, 27, 24) }

// TestSoakRandomProgramsNative does the same with many programs.
func TestSoakRandomProgramsNative(t *testing.T) {
	testenv.OnlySoak(t)
	for salt := range uint64(20) {
		tryNative(t, 5+salt, 60)
	}
}

// tryNative compares functions with bytecode on random programs: event by event on one PE, and with the reference on
// several PEs. One binary has that many programs.
func tryNative(t *testing.T, salt uint64, programs int) {
	var all []sample
	var texts, queries []string
	for seed := uint64(0); len(all) < programs; seed++ {
		random := rand.New(rand.NewPCG(seed, salt))
		r := pose(t, func(from, to int) int { return from + random.IntN(to-from+1) })
		if r.decided {
			src, query, _ := strings.Cut(strings.TrimSuffix(r.text, "."), "\n?- ")
			all, texts, queries = append(all, r), append(texts, src), append(queries, query)
		}
	}
	binary := nativetest.Build(t, texts)
	kinds := map[string]int{}
	for i, r := range all {
		kinds[r.want.kind]++
		run := nativetest.Run{Program: i, Goal: queries[i]}
		for _, o := range []nativetest.Run{{Traced: true}, {Poll: 1, Traced: true}, {Collect: true}, {Poll: 2, Step: 3}} {
			o.Program, o.Goal = run.Program, run.Goal
			got := binary.Run(t, o)
			o.Bytecode = true
			if want := binary.Run(t, o); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v: %+v\nbytecode %+v\n%s", o, got, want, r.text)
			}
		}
		for k := range 3 {
			o := run
			o.PEs, o.Policy, o.Seed, o.Collect, o.Traced = 2+3*k, policy.All[(i+4*k)%len(policy.All)].Name, uint64(i), k == 1, k == 2
			got := binary.Run(t, o)
			if (got.Err == "") != (r.want.kind == "") {
				t.Errorf("%+v: error %q, expected kind %q\n%s", o, got.Err, r.want.kind, r.text)
			}
			if r.want.kind != "" {
				continue
			}
			var answers []string
			for _, b := range got.Answers {
				answers = append(answers, b.Name+" = "+renamed(b.Value))
			}
			if got.Reductions != int64(r.want.nodes) || !slices.Equal(answers, r.want.answers) {
				t.Errorf("%+v: %d reductions, %q, expected %d, %q\n%s", o, got.Reductions, answers, r.want.nodes, r.want.answers, r.text)
			}
		}
	}
	t.Logf("%v", kinds)
}
