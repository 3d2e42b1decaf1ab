package session

import (
	"net"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer/store"
)

// TestAudience lets two Remotes watch one session: one from its beginning, which pauses it, and one that comes later and ends it. Both get the
// whole trace, and so does one that comes after the end.
func TestAudience(t *testing.T) {
	s := must.Get(Start(smallPascal()))(t)
	s.Do(Command{Do: StepTo, N: 10})
	told := s.Description()
	told.Text = "the text"
	a := must.Get(NewAudience(s, told))(t)
	join := func() (*Remote, *store.Growing, <-chan error) {
		near, far := net.Pipe()
		end := make(chan error, 1)
		go func() { end <- a.Feed(far) }()
		return Attach(near), store.NewGrowing(), end
	}
	first, one, end1 := join()
	await(t, first, one, "the first pause", pausedAt(10))
	first.Do(Command{Do: Step, N: 5})
	await(t, first, one, "the second pause", pausedAt(15))
	second, two, end2 := join()
	await(t, second, two, "the pause as it is", pausedAt(15))
	if run, ok := second.Description(); !ok || run.Text != "the text" {
		t.Errorf("the description is %+v", run)
	}
	second.Do(Command{Do: Resume})
	await(t, first, one, "the end", finished)
	await(t, second, two, "the end", finished)
	third, three, end3 := join()
	await(t, third, three, "the end", finished)
	for i, g := range []*store.Growing{one, two, three} {
		if !g.Ended() || g.Counts() != one.Counts() {
			t.Errorf("viewer %d: ended %v, %v, want %v", i, g.Ended(), g.Counts(), one.Counts())
		}
	}
	for _, end := range []<-chan error{end1, end2, end3} {
		if err := <-end; err != nil {
			t.Error(err)
		}
	}
	for _, r := range []*Remote{first, second, third} {
		r.Wait()
	}
	must.Do(t, a.Close())
}
