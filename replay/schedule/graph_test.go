package schedule

import (
	"fmt"
	"strings"
	"testing"

	"whorl/replay"
	"whorl/testdata/must"
	"whorl/tracer"
)

// recorded returns the program in a trace, in the text form. Its code table has a function, the reason mutex and a class of messages.
func recorded(t *testing.T, events string) *replay.Recording {
	t.Helper()
	rec := tracer.NewMemory()
	text := `whorl 1
meta pes=2
code 1 type="function" name="main"
code 2 type="reason" name="mutex"
code 3 type="message" name="data"
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
	s := must.Get(Of(recorded(t, b.String()+message)))(t)
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
	s := must.Get(Of(recorded(t, b.String()+strings.ReplaceAll(message, "20 ", "900 "))))(t)
	if n := len(s.edges); n < 3*tasks || n > 3*tasks+mostRequired*tasks {
		t.Errorf("%d operations have %d dependences", len(s.Ops), n)
	}
}
