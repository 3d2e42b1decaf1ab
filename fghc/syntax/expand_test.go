package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// coreText formats expanded clauses, one a line.
func coreText(clauses []*Clause) string {
	var b strings.Builder
	for _, c := range clauses {
		goals := func(list []Goal) string {
			var parts []string
			for _, g := range list {
				text := Format(g.Term)
				if g.Module != "" {
					text = g.Module + ":" + text
				}
				if g.Node != nil {
					text += "@" + Format(g.Node)
				}
				if g.Priority != nil {
					text += fmt.Sprintf("@%v%s", map[bool]string{true: "-"}[g.Lower], Format(g.Priority))
				}
				parts = append(parts, text)
			}
			return strings.Join(parts, ", ")
		}
		fmt.Fprintf(&b, "%d: %s", c.Number, Format(c.Head.Term))
		if c.Group+c.Rank > 0 {
			fmt.Fprintf(&b, " [%d %d]", c.Group, c.Rank)
		}
		if len(c.Guard) > 0 {
			b.WriteString(" :- " + goals(c.Guard) + " |")
		}
		if len(c.Body) > 0 {
			b.WriteString(" <- " + goals(c.Body))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestExpand(t *testing.T) {
	tests := []struct{ src, core string }{
		{"p(X) :- X > 0 | q(X).", "1: p(X) :- X > 0 | <- q(X)\n"},
		// Argument pairs, as in the manual of KLIC.
		{
			"p(X,Y)-Pair :- q(X)-Pair, s(Z)-Pair, r(Pair,Y), t(Z)-Pair.",
			"1: p(X,Y,Pair,Pair1) <- Pair1 = Pair4, q(X,Pair,Pair2), s(Z,Pair2,Pair3), r(Pair3,Y), t(Z,Pair3,Pair4)\n",
		},
		{"p(X)-Y :- q(X).", "1: p(X,Y,Y1) <- Y1 = Y, q(X)\n"},
		{"p-X-Y :- q-X, r-Y, s-Y-X.", "1: p(X,X1,Y,Y1) <- X1 = X3, Y1 = Y3, q(X,X2), r(Y,Y2), s(Y2,Y3,X2,X3)\n"},
		{"p-X+Y :- q-X+35, r(Y), s+Y-X.", "1: p(X,X1,Y) <- X1 = X3, q(X,X2,35), r(Y), s(Y,X2,X3)\n"},
		{"sum(List, Sum) :- sum(List)+0+Sum.", "1: sum(List,Sum) <- sum(List,0,Sum)\n"},
		{"sum([H|T])-Acc :- Acc += H, sum(T)-Acc.", "1: sum([H|T],Acc,Acc1) <- Acc1 = Acc3, Acc2 := Acc+H, sum(T,Acc2,Acc3)\n"},
		{"inv([H|T])-Inv :- MH := -H, Inv <= MH, inv(T)-Inv.", "1: inv([H|T],Inv,Inv1) <- Inv1 = Inv3, MH := -H, Inv = [MH|Inv2], inv(T,Inv2,Inv3)\n"},
		{"p-S :- p-S, q(S), S <== X, r(X)-S.", "1: p(S,S1) <- S1 = S4, p(S,S2), q(S2), S3 = X, r(X,S3,S4)\n"},
		{"p-S :- f(S) => S, S -= 1, S $*= 2.0.", "1: p(S,S1) <- S1 = S4, S2 = [f(S)|S], S3 := S2-1, S4 $:= S3*2.0\n"},
		{"p(S1)-S :- q-S.", "1: p(S1,S,S2) <- S2 = S3, q(S,S3)\n"},     // S1 is in use
		{"p :- q-S, r-S, s(S).", "1: p <- q(S,S1), r(S1,S2), s(S2)\n"}, // a pair that is not in the head
		{"p-S :- wait(S) | q-S+S.", "1: p(S,S1) :- wait(S) | <- S1 = S2, q(S,S2,S2)\n"},
		{"p :- m:q(1)-S@node(S)@priority(2), r@lower_priority, s@lower_priority(N).", "1: p <- m:q(1,S,S1)@S@2, r@-1, s@-N\n"},
		{"p :- X = a-B, q(a-B).", "1: p <- X = a-B, q(a-B)\n"}, // only goals have suffixes
		{"a - b. X - Y.", "1: a(b)\n2: X-Y\n"},
		{"inv(List, Inv) :- inv(List)+Inv-[].", "1: inv(List,Inv) <- inv(List,Inv,[])\n"},
		// Values.
		{"p(N) :- q(~(N-1), f(~N)), r(~(~(N)+1)).", "1: p(N) <- _1 := N-1, _2 := N, q(_1,f(_2)), _3 := N, _4 := _3+1, r(_4)\n"},
		{"p(N) :- q(~(N-1)) | r($~(sin(N))).", "1: p(N) :- _1 := N-1, q(_1) | <- _2 $:= sin(N), r(_2)\n"},
		{"p(N, ~(N+1)).", "1: p(N,_1) :- _1 := N+1 |\n"},
		{"p(_1) :- q(~(_1+1))@node(~(2)).", "1: p(_1) <- _2 := _1+1, _3 := 2, q(_2)@_3\n"},
		{"p(#\"a\", c#\"b\", 16#\"fF\", key#lf, string#\"s\", [#\"é\"|T], {#\"\\n\"}).", "1: p(97,98,255,10,\"s\",[233|T],{10})\n"},
		{"p(36#\"zzzzzzzzzzzzzzzzzzzz\", predicate#(m:p/2)).", "1: p(13367494538843734067838845976575,predicate#(m:p/2))\n"},
		{"p(`(~(X)), ``(~(#\"a\"))).", "1: p(_1,~(#\"a\")) :- _1 := X |\n"},
		// Aliases.
		{
			"p(N, M, V) :- add(N, 1, M), vector(V) | subtract(~(M*2), 1, X), arg(1, V, Y, W)@node(2), q(X, Y, W).",
			"1: p(N,M,V) :- M := N+1, vector(V,_) | <- _1 := M*2, X := _1-1, W = V@2, arg(1,V,Y)@2, q(X,Y,W)\n",
		},
		{"p(X) :- add(X, X, 1) | add(X, X, _). add(X, _, _) :- equal(X, 1) | true.", "1: p(X) :- 1 := X+X | <- add(X,X,_)\n2: add(X,_,_) :- X =:= 1 |\n"},
		{
			"p(F, X) :- hash(F, 3, _) | functor_table:setarg(1, F, X, G), functor_table:arg(1, G, Y, H), apply(P, {Y})@node(2), variable:unbound(H, P).",
			"1: p(F,X) :- integer(3), hash(F,_) | <- setarg(1,F,X,G), H = G, arg(1,G,Y), generic:apply(P,{Y})@2, unbound(H,P)\n",
		},
		{ // a procedure of the same or the named module takes precedence
			":- module a. apply(X, Y) :- X = Y. p(X) :- apply(X, b). :- module b. p(X) :- apply(X, {}).",
			"1: apply(X,Y) <- X = Y\n2: p(X) <- apply(X,b)\n3: p(X) <- generic:apply(X,{})\n",
		},
		{":- module variable. unbound(X, Y) :- Y = X. :- module b. p(X, Y) :- variable:unbound(X, Y).", "1: unbound(X,Y) <- Y = X\n2: p(X,Y) <- variable:unbound(X,Y)\n"},
		// Cases.
		{
			"p(X,Y) :- ( X>0 -> q(X,Y,Z) ; X=<0, Y>1 -> Z=1, r(U) ), s(Z).",
			"1: p(X,Y) <- 'p/2$0'(X,Y,Z), s(Z)\n2: 'p/2$0'(X,Y,Z) :- X > 0 | <- q(X,Y,Z)\n3: 'p/2$0'(X,Y,Z) :- X =< 0, Y > 1 | <- Z = 1, r(U)\n",
		},
		{
			"p(X) :- ( X=1 -> true ; otherwise ; true -> q ; alternatively ; X=3 -> r ), ( wait(X) -> s ).",
			"1: p(X) <- 'p/1$0'(X), 'p/1$1'(X)\n2: 'p/1$0'(X) :- X = 1 |\n3: 'p/1$0'(X) [1 0] <- q\n4: 'p/1$0'(X) [1 1] :- X = 3 | <- r\n5: 'p/1$1'(X) :- wait(X) | <- s\n",
		},
		{ // nested
			"p(X,Y) :- ( X>0 -> ( Y>0 -> q(Z) ; Y<0 -> q(X) ), r(Z) ).",
			"1: p(X,Y) <- 'p/2$0'(X,Y)\n2: 'p/2$0'(X,Y) :- X > 0 | <- 'p/2$0/2$0'(Y,Z,X), r(Z)\n" +
				"3: 'p/2$0/2$0'(Y,Z,X) :- Y > 0 | <- q(Z)\n4: 'p/2$0/2$0'(Y,Z,X) :- Y < 0 | <- q(X)\n",
		},
		{ // with argument pairs
			"p(X)-S :- ( X>0 -> S <= X, q-S ; X<0 -> S <= 0 ; X=0 -> true ), r-S.",
			"1: p(X,S,S1) <- S1 = S6, 'p/3$0'(X,S5,S), r(S5,S6)\n2: 'p/3$0'(X,S5,S) :- X > 0 | <- S5 = S3, S = [X|S2], q(S2,S3)\n" +
				"3: 'p/3$0'(X,S5,S) :- X < 0 | <- S5 = S4, S = [0|S4]\n4: 'p/3$0'(X,S5,S) :- X = 0 | <- S5 = S\n",
		},
		{"p :- ( a -> b ; c ).", ""},
		{"p :- a ; b.", ""},
		// Alternatives in guards.
		{"p(X,Y) :- X>0, ( Y=1 ; Y=2, X<5 ; Y=3 ) | q(X).", "1: p(X,Y) :- X > 0, Y = 1 | <- q(X)\n1: p(X,Y) :- X > 0, Y = 2, X < 5 | <- q(X)\n1: p(X,Y) :- X > 0, Y = 3 | <- q(X)\n"},
		{"p(X) :- generic:string(X):N:_, generic:float(X) | q(N).", "1: p(X) :- generic:string(X,N,_), generic:float(X) | <- q(N)\n"},
	}
	for _, test := range tests {
		f, errs := Parse("t", test.src)
		if len(errs) == 0 {
			f, errs = Expand(f)
		}
		if test.core == "" {
			if len(errs) == 0 {
				t.Errorf("%s expands to\n%swant an error", test.src, coreText(f.Clauses))
			}
			continue
		}
		if got := coreText(f.Clauses); got != test.core || len(errs) > 0 {
			t.Errorf("%s expands to\n%swant\n%s%v", test.src, got, test.core, errs)
		}
	}
}

// The parameters of every alias are variables.
func TestAliases(t *testing.T) {
	for p, r := range parsedAliases() {
		if len(r.goals) == 0 || len(r.params) != p.Arity || !r.guard && !r.body {
			t.Errorf("%v: %+v", p, r)
		}
		for _, v := range r.params {
			if _, ok := v.(*Var); !ok {
				t.Errorf("%v: %s", p, Format(v))
			}
		}
	}
	if len(parsedAliases()) != len(aliases) {
		t.Error("two aliases have the same name and arity")
	}
}
