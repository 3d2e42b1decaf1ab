package emulator

import (
	"fmt"
	"strings"
	"testing"

	"whorl/testdata/testenv"
)

// versions builds a vector or string of three elements N for each N, replaces elements until that version is old, and
// reads it twice. Before, it reads a list of the preceding goal, which nothing may overwrite.
const versions = `
turn(0,_,L,R) :- R = L.
turn(N,V,L,R) :- N > 0 | fill(N,V,W), far(W,Far), fill(N,V,X), far(X,Far1), see(Far,Far1,N,W,X,Y), M := N-1, next(Y,M,Far,L,R).
next(Y,N,V,L,R) :- wait(Y) | turn(N,V,[Y|L],R).
fill(N,V,W) :- vector(V,_) | set_vector_element(V,0,N,A), set_vector_element(A,1,N,B), set_vector_element(B,2,N,W).
fill(N,V,W) :- string(V,_,_) | set_string_element(V,0,N,A), set_string_element(A,1,N,B), set_string_element(B,2,N,W).
far(V,W) :- far(9,V,W).
far(0,V,W) :- W = V.
far(N,V,W) :- N > 0, vector(V,_) | set_vector_element(V,0,N,V1), M := N-1, far(M,V1,W).
far(N,V,W) :- N > 0, string(V,_,_) | set_string_element(V,0,N,V1), M := N-1, far(M,V1,W).
see(Far,Far1,N,W,X,Y) :- wait(Far), wait(Far1) | make(2,N,W,X,[],Y).
make(0,N,W,X,L,Y) :- look(N,W,X,L,Y).
make(K,N,W,X,L,Y) :- K > 0 | J := K-1, make(J,N,W,X,[f(N,N,N,N)|L],Y).
again(N,{A,B,C},X,[f(N,N,N,N),f(N,N,N,N)],Y) :- again(A,B,C,X,Y).
again(N,S,X,[f(N,N,N,N),f(N,N,N,N)],Y) :- string_element(S,0,A), string_element(S,1,B), string_element(S,2,C) | again(A,B,C,X,Y).
again(A,B,C,X,Y) :- vector_element(X,0,D), vector_element(X,1,E), vector_element(X,2,F) | Y := A+B+C+D+E+F.
again(A,B,C,X,Y) :- string_element(X,0,D), string_element(X,1,E), string_element(X,2,F) | Y := A+B+C+D+E+F.
`

// A guard that reads an old version overwrites nothing, and later goals do not overwrite the array that it has built.
func TestOldVersions(t *testing.T) {
	n := 60
	vector, text := "new_vector(V,3)", "new_string(V,3,8)"
	for _, c := range []struct{ name, kind, look string }{
		{"pattern", vector, "look(N,{N,N,N},X,L,Y) :- again(N,X,{N,N,N},L,Y)."},
		{"read", vector, "look(_,V,X,L,Y) :- V = {A,A,A} | again(A,V,X,L,Y)."},
		{"equal", vector, "look(N,V,X,L,Y) :- V = X | again(N,V,X,L,Y)."},
		{"equal within", vector, "look(N,V,X,L,Y) :- V = X | look(V,[L,V],[L,X],f(N,L,Y)). look(V,A,A,F) :- F = f(N,L,Y), [L,X] = A, again(N,V,X,L,Y)."},
		{"body", vector, "look(N,V,X,L,Y) :- V = {A,B,C}, A = B, B = C, again(A,V,X,L,Y)."},
		{"body of two", vector, "look(N,V,X,L,Y) :- V = X, again(N,V,X,L,Y)."},
		{"different", vector, "look(N,V,X,L,Y) :- V \\= {N,N} | again(N,V,X,L,Y)."},
		{"element", vector, "look(_,V,X,L,Y) :- vector_element(V,0,A), vector_element(V,1,A), vector_element(V,2,A) | again(A,V,X,L,Y)."},
		{"hash", vector, "look(N,V,X,L,Y) :- hash(V,H), hash(X,H) | again(N,V,X,L,Y)."},
		{"string element", text, "look(_,V,X,L,Y) :- string_element(V,0,A), string_element(V,1,A), string_element(V,2,A) | again(A,V,X,L,Y)."},
		{"equal strings", text, "look(N,V,X,L,Y) :- V = X | again(N,V,X,L,Y)."},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := "R = [" + list(n, ",", func(i int) string { return fmt.Sprint(6 * (i + 1)) }) + "]"
			for i, o := range oldSetups(t, testenv.Race) {
				got, err := try(t, "p.fghc", versions+c.look, fmt.Sprintf("%s, turn(%d,V,[],R)", c.kind, n), o)
				if err != nil || !strings.HasSuffix(got, want) {
					t.Errorf("%s, setup %d: %.200s, %.300v", c.name, i, got, err)
				}
			}
		})
	}
}

// An old version of a vector may need more space than is available, wherever it is read.
func TestLargeOldVersions(t *testing.T) {
	const text = `
old(0,_,L,R) :- R = L.
old(K,N,L,R) :- K > 0 | new_vector(V,N), F := 2*N, far(F,V,W), new_vector(U,N), after(W,U,V,E), J := K-1, next(E,J,N,L,R).
next(E,K,N,L,R) :- wait(E) | old(K,N,[E|L],R).
far(0,V,W) :- W = V.
far(N,V,W) :- N > 0 | set_vector_element(V,0,N,V1), M := N-1, far(M,V1,W).
after(W,U,V,R) :- vector(W,N) | look(U,V,N,R).
`
	n, long := 1000, 20000
	if testenv.Race {
		n, long = 200, 1000
	}
	for _, c := range []struct {
		name, look string
		times, n   int
	}{
		{"equal", "look(X,Y,N,R) :- X = Y | R = N.", 3, long},
		{"unequal", "look(X,Y,N,R) :- [X|N] \\= Y | R = N.", 3, long},
		{"body", "look(X,Y,N,R) :- wait(X) | X = Y, R = N.", 3, long},
		{"pattern", "look(_,{" + list(n, ",", numbered("A%d")) + "},N,R) :- R := N + A1.", 50, n},
		{"element", "look(_,V,N,R) :- vector_element(V,1,Y) | R := N + Y.", 3, long},
	} {
		want := "R = [" + list(c.times, ",", func(int) string { return fmt.Sprint(c.n) }) + "]"
		t.Run(c.name, func(t *testing.T) {
			for i, o := range oldSetups(t, testenv.Race) {
				if o.Collect { // too slow with so much data
					continue
				}
				if got, err := try(t, "p.fghc", text+c.look, fmt.Sprintf("old(%d,%d,[],R)", c.times, c.n), o); err != nil || got != want {
					t.Errorf("setup %d: %.200s, %.300v", i, got, err)
				}
			}
		})
	}
}

// A builtin or a goal may wait for more variables than there is space for hooks.
func TestManyAwaited(t *testing.T) {
	const text = `
all(N,K,S,R) :- vars(K,Xs), strings(N,Xs,Ss), equal(Ss,S,R).
vars(0,Xs) :- Xs = [].
vars(N,Xs) :- N > 0 | Xs = [_|Xs1], M := N-1, vars(M,Xs1).
strings(0,Xs,Ss) :- Ss = [], bind(Xs).
strings(N,Xs,Ss) :- N > 0 | new_string(S,Xs,8), Ss = [S|Ss1], M := N-1, strings(M,Xs,Ss1).
bind([]).
bind([X|Xs]) :- X = 0'a, bind(Xs).
equal([],_,R) :- R = done.
equal([S|Ss],S,R) :- equal(Ss,S,R).
guards(Z) :- vars(200,Xs), vars(200,Ys), same(Xs,Ys,H), hashed(Xs,H,Z), bind(Xs), bind(Ys).
same(Xs,Xs,H) :- H = done.
hashed(Xs,H,Z) :- hash(Xs,_) | Z = H.
`
	sizes := []int{9, 300, 1000}
	if testenv.Race {
		sizes = sizes[:2]
	}
	for _, n := range sizes {
		for i, o := range oldSetups(t, testenv.Race) {
			goal := fmt.Sprintf("all(60,%d,\"%s\",R), guards(Z)", n, strings.Repeat("a", n))
			if got, err := try(t, "p.fghc", text, goal, o); err != nil || got != "R = done, Z = done" {
				t.Errorf("%d variables, setup %d: %.200s, %.300v", n, i, got, err)
			}
		}
	}
}

// Many builtins of one body may wait for a few variables each.
func TestManyThatWait(t *testing.T) {
	const n = 300
	text := "all(R) :- " + list(n, ", ", numbered("new_string(S%[1]d,[A,B,C,D,E,F,G,H],8)")) + ", R = [" + list(n, ",", numbered("S%d")) + "], later(20,[A,B,C,D,E,F,G,H])." + `
later(0,Xs) :- bind(Xs).
later(N,Xs) :- N > 0 | M := N-1, later(M,Xs).
bind([]).
bind([X|Xs]) :- X = 0'a, bind(Xs).
turn(0,R) :- R = done.
turn(N,R) :- N > 0 | all(Ss), M := N-1, next(Ss,M,R).
next([],N,R) :- turn(N,R).
next(["aaaaaaaa"|Ss],N,R) :- next(Ss,N,R).
`
	for i, o := range oldSetups(t, testenv.Race) {
		times := 100
		if o.Collect || testenv.Race {
			times = 3
		}
		if got, err := try(t, "p.fghc", text, fmt.Sprintf("turn(%d,R)", times), o); err != nil || got != "R = done" {
			t.Errorf("setup %d: %.200s, %.300v", i, got, err)
		}
	}
}

// oldSetups returns setups and more.
func oldSetups(t *testing.T, race bool) []Options {
	all := append(setups(t, race), Options{PEs: 8, Policy: named(t, "random")}, Options{PEs: 8, Policy: named(t, "random"), Poll: 3})
	if race {
		return all
	}
	return append(all, Options{Poll: 1}, Options{Slice: 3})
}
