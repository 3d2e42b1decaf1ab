package emulator

import (
	"testing"

	"whorl/testdata/must"
)

// Of several PEs each collects its garbage alone: few collections stop the world. The sum of a list that is built and
// read a hundred times leaves mostly garbage.
func TestPrivateCollections(t *testing.T) {
	const text = `go(0,_). go(K,N) :- K > 0 | upto(1,N,Xs), sum(Xs,0,_), K1 := K - 1, go(K1,N).
upto(I,N,Xs) :- I =< N | Xs = [f(I,I)|Xs1], I1 := I + 1, upto(I1,N,Xs1).
upto(I,N,Xs) :- I > N | Xs = [].
sum([],A,S) :- S = A.
sum([f(X,_)|Xs],A,S) :- A1 := A + X, sum(Xs,A1,S).`
	for _, pes := range []int{1, 2, 4} {
		m := runProgram(t, text, "go(100,5000)", Options{PEs: pes, Policy: named(t, "on-demand")})
		var alone int64
		for _, p := range m.pes {
			alone += p.tidied
		}
		if few := m.collections*5 < alone; few != (pes > 1) {
			t.Errorf("%d PEs: %d collections of all and %d of private words", pes, m.collections, alone)
		}
	}
}

// Private words are collected only where there is space for survivors that take twice as many words.
func TestSpaceForSurvivors(t *testing.T) {
	prog, q := prepare(t, "p.", "p")
	m := must.Get(New(prog, q, Options{PEs: 2, Policy: named(t, "on-demand")}))(t)
	p := m.pes[0]
	if !p.extend(m, fewWords, recordSize) {
		t.Fatal("no space")
	}
	begin, half := p.private, (p.lim-p.private)/2
	for i := begin; i < p.lim; i++ {
		p.arena[i] = null
	}
	p.h = begin + half + 1
	if p.tidy(); p.tidied != 0 {
		t.Errorf("%d of %d words have been collected", half+1, 2*half)
	}
	p.h = begin + half
	if p.tidy(); p.tidied != 1 || p.h != begin {
		t.Errorf("%d collections of garbage have left %d words", p.tidied, p.h-begin)
	}
}
