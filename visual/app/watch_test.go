package app

import (
	"testing"
	"time"

	"whorl/experiment"
	"whorl/tracer"
)

// TestWatch shows a run that was started elsewhere: the picture grows while it is stepped, and closing the viewer takes leave.
func TestWatch(t *testing.T) {
	r := experiment.Defaults("pascal")
	r.Args = []string{"8"}
	s, err := experiment.Start(r)
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, Options{}, 900, 600, 1)
	s.Do(experiment.Command{Do: experiment.StepTo, N: 20})
	d.app.Watch(s, s.Description())
	at := func(n int64) {
		t.Helper()
		for range 2000 {
			d.step()
			for _, doc := range d.app.docs {
				if doc.live != nil && doc.live.status.State == Paused && doc.live.trace.Counts()[tracer.Reduce] == n {
					return
				}
			}
			time.Sleep(time.Millisecond)
		}
		t.Fatalf("the viewer does not see reduction %d", n)
	}
	at(20)
	before := d.out.Layers
	s.Do(experiment.Command{Do: experiment.StepTo, N: 60})
	at(60)
	d.settle()
	same := len(before) == len(d.out.Layers)
	for i := range before {
		same = same && before[i].Revision == d.out.Layers[i].Revision
	}
	if same {
		t.Error("nothing has changed on the screen")
	}
	d.app.Close()
	<-s.Done()
}
