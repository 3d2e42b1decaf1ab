package schedule

import (
	"fmt"
	"strings"
	"testing"

	"whorl/replay"
	"whorl/testdata/must"
	"whorl/tracer"
)

// recorded returns the program in a trace, in the text form. Its code table has a function, a class of messages, and the reasons mutex and barrier.
func recorded(t *testing.T, events string) *replay.Recording {
	t.Helper()
	rec := tracer.NewMemory()
	text := `whorl 1
meta pes=2
code 1 type="function" name="main"
code 2 type="reason" name="mutex"
code 3 type="message" name="data"
code 4 type="reason" name="barrier"
` + events
	must.Do(t, tracer.ReadText(strings.NewReader(text), rec))
	must.Do(t, rec.Close())
	return must.Get(replay.Read(rec, replay.ReadOptions{}))(t)
}

// message has a task 9 of PE 1 that receives a message of task 1 of PE 0, so that the tasks are processes.
const message = `20 Start pe=1 task=9 code=1
20 Recv pe=1 task=9 ref=1 peer=0 code=3 value=8
20 End pe=1 task=9 code=1
`

// Tasks of a PE that wake each other many times without computing require few operations.
func TestFronts(t *testing.T) {
	var b strings.Builder
	b.WriteString(`0 Fork pe=0 task=1 code=1
0 Fork pe=0 task=2 code=1
0 Fork pe=1 task=9 code=1
0 Start pe=0 task=1 code=1
5 Send pe=0 task=1 ref=1 peer=1 code=3 value=8
5 Wait pe=0 task=1 code=2
5 Start pe=0 task=2 code=1
6 Overhead pe=0 task=2
`)
	const rounds = 10
	for range rounds {
		for i := range 2 {
			fmt.Fprintf(&b, "6 Wake pe=0 task=%d ref=%d\n6 Wait pe=0 task=%d code=2\n6 Busy pe=0 task=%d code=1\n", 1+i, 2-i, 2-i, 1+i)
		}
	}
	b.WriteString("6 Wake pe=0 task=1 ref=2\n6 End pe=0 task=2 code=1\n6 Busy pe=0 task=1 code=1\n7 End pe=0 task=1 code=1\n")
	s := must.Get(FromRecording(recorded(t, b.String()+message)))(t)
	if n := len(s.edges); n > 2*rounds {
		t.Errorf("%d operations have %d dependences", len(s.Ops), n)
	}
}

// Many tasks that wait for the ends of many others require as many operations as there are tasks.
func TestManyJoins(t *testing.T) {
	const tasks = 300
	var b strings.Builder
	b.WriteString("0 Fork pe=0 task=1 code=1\n0 Fork pe=1 task=9 code=1\n0 Start pe=0 task=1 code=1\n5 Send pe=0 task=1 ref=1 peer=1 code=3 value=8\n")
	begin := func(first, now int) {
		for i := range tasks {
			fmt.Fprintf(&b, "%d Fork pe=0 task=%d ref=1 code=1\n", now, first+i)
		}
		fmt.Fprintf(&b, "%d JoinBegin pe=0 task=1 ref=%d\n", now, first)
		for i := range tasks {
			fmt.Fprintf(&b, "%d Start pe=0 task=%d code=1\n%d End pe=0 task=%d code=1\n", now, first+i, now+1, first+i)
			now++
		}
		for i := range tasks {
			fmt.Fprintf(&b, "%d JoinBegin pe=0 task=1 ref=%d\n%d JoinEnd pe=0 task=1 ref=%d\n", now, first+i, now, first+i)
		}
	}
	begin(1000, 5)
	begin(2000, 5+tasks)
	fmt.Fprintf(&b, "%d End pe=0 task=1 code=1\n", 5+2*tasks)
	s := must.Get(FromRecording(recorded(t, b.String()+strings.ReplaceAll(message, "20 ", "900 "))))(t)
	if n := len(s.edges); n < 3*tasks || n > 3*tasks+mostRequired*tasks {
		t.Errorf("%d operations have %d dependences", len(s.Ops), n)
	}
}

// text returns the operations of a schedule with their requirements.
func text(s *Schedule) string {
	var b strings.Builder
	needs := s.Requirements()
	for i, o := range s.Ops {
		fmt.Fprintf(&b, "%d: rank %d %s", i, o.Rank, s.names[o.Name])
		if o.Kind == Calc {
			fmt.Fprintf(&b, " %d", o.Size)
		} else {
			fmt.Fprintf(&b, " %d bytes, %d, tag %d", o.Size, o.Peer, o.Tag)
		}
		for _, n := range needs(i) {
			fmt.Fprintf(&b, " after %d", n.Op)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// What tasks of other ranks wait for becomes messages of 16 bytes, a meeting becomes a barrier, and a delay a calc.
func TestOf(t *testing.T) {
	for _, c := range []struct{ name, events, want string }{
		{"a message, a delay and a message that nobody receives", `0 Fork pe=0 task=1 code=1
0 Fork pe=1 task=9 code=1
0 Start pe=0 task=1 code=1
5 Send pe=0 task=1 ref=1 peer=1 code=3 value=8
6 Send pe=0 task=1 ref=2 peer=1 code=3 value=8
6 Wait pe=0 task=1 code=2
9 Wake pe=0 task=1
9 Busy pe=0 task=1 code=1
10 End pe=0 task=1 code=1
20 Start pe=1 task=9 code=1
20 Recv pe=1 task=9 ref=1 peer=0 code=3 value=8
22 End pe=1 task=9 code=1
`, `0: rank 0 calc 5
1: rank 0 send 8 bytes, 1, tag 0 after 0
2: rank 0 calc 1 after 1
3: rank 0 calc 3 after 2
4: rank 0 calc 1 after 3
5: rank 1 recv 8 bytes, 0, tag 0
6: rank 1 calc 2 after 5
`},
		{"a fork, a join and a wake-up", `0 Fork pe=0 task=1 code=1
0 Start pe=0 task=1 code=1
5 Fork pe=0 task=9 ref=1 code=1
5 Send pe=0 task=1 ref=1 peer=1 code=3 value=8
6 Wait pe=0 task=1 code=2
8 Start pe=1 task=9 code=1
9 Recv pe=1 task=9 ref=1 peer=0 code=3 value=8
10 Wake pe=1 task=1 ref=9
10 Busy pe=0 task=1 code=1
11 JoinBegin pe=0 task=1 ref=9
12 End pe=1 task=9 code=1
12 JoinEnd pe=0 task=1 ref=9
14 End pe=0 task=1 code=1
`, `0: rank 0 calc 5
1: rank 0 send 16 bytes, 1, tag 0 after 0
2: rank 1 recv 16 bytes, 0, tag 0
3: rank 0 send 8 bytes, 1, tag 0 after 1
4: rank 0 calc 1 after 3
5: rank 1 calc 1 after 2
6: rank 1 recv 8 bytes, 0, tag 0 after 5
7: rank 1 calc 1 after 6
8: rank 1 send 16 bytes, 0, tag 0 after 7
9: rank 0 recv 16 bytes, 1, tag 0 after 4
10: rank 0 calc 1 after 9
11: rank 1 calc 2 after 8
12: rank 1 send 16 bytes, 0, tag 0 after 11
13: rank 0 recv 16 bytes, 1, tag 0 after 10
14: rank 0 calc 2 after 13
`},
		{"a barrier", `0 Fork pe=0 task=1 code=1
0 Fork pe=1 task=2 code=1
0 Fork pe=2 task=3 code=1
0 Start pe=0 task=1 code=1
0 Start pe=1 task=2 code=1
0 Start pe=2 task=3 code=1
5 Send pe=0 task=1 ref=1 peer=1 code=3 value=8
5 Wait pe=0 task=1 code=4
6 Recv pe=1 task=2 ref=1 peer=0 code=3 value=8
6 Wait pe=1 task=2 code=4
7 Wake pe=2 task=1 ref=3
7 Wake pe=2 task=2 ref=3
7 Busy pe=0 task=1 code=1
7 End pe=2 task=3 code=1
8 End pe=0 task=1 code=1
8 End pe=1 task=2 code=1
`, `0: rank 0 calc 5
1: rank 0 send 8 bytes, 1, tag 0 after 0
2: rank 1 calc 6
3: rank 1 recv 8 bytes, 0, tag 0 after 2
4: rank 2 calc 7
5: rank 0 send 16 bytes, 1, tag 0 after 1
6: rank 1 send 16 bytes, 2, tag 0 after 3
7: rank 2 send 16 bytes, 0, tag 0 after 4
8: rank 1 recv 16 bytes, 0, tag 0 after 6
9: rank 2 recv 16 bytes, 1, tag 0 after 7
10: rank 0 recv 16 bytes, 2, tag 0 after 5
11: rank 0 send 16 bytes, 2, tag 0 after 10
12: rank 1 send 16 bytes, 0, tag 0 after 8
13: rank 2 send 16 bytes, 1, tag 0 after 9
14: rank 2 recv 16 bytes, 0, tag 0 after 13
15: rank 0 recv 16 bytes, 1, tag 0 after 11
16: rank 1 recv 16 bytes, 2, tag 0 after 12
17: rank 0 calc 1 after 15
`},
	} {
		if got := text(must.Get(FromRecording(recorded(t, c.events)))(t)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
