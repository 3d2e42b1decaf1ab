package account

import "testing"

// TestNotes checks the sums of tasks that wait: a wait begins at the last suspension, ends once, and its note is used again for another task, unless
// the task has sent messages or has neither worked nor waited.
func TestNotes(t *testing.T) {
	x := newTasks()
	for task := range uint64(MostTasks) {
		x.work(task+1, 1, 100)
	}
	const first = 1000
	for task := uint64(first); task < first+50; task++ {
		x.suspend(task, 10)
		x.suspend(task, 20)
		x.work(task, 1, 7)
		x.resume(task, 25)
		x.resume(task, 90)
		if s := *x.sum(task); s != (taskSum{work: 7, waiting: 5}) {
			t.Fatalf("task %d: %+v", task, s)
		}
	}
	if n := len(x.notes); n != MostTasks+1 {
		t.Errorf("%d notes, want %d", n, MostTasks+1)
	}
	x.resume(1, 50)    // it does not wait
	x.resume(9999, 50) // it is not known
	x.resume(0, 50)
	x.suspend(2000, 30)
	x.resume(2000, 30)
	x.send(first)
	x.suspend(first, 40)
	x.resume(first, 41)
	if n := len(x.notes); n != MostTasks+2 || x.All.Messages != 1 || x.All.Waiting != 50*5+1 || x.Count != MostTasks+50 {
		t.Errorf("%d notes, %+v by %d tasks", n, x.All, x.Count)
	}
	x.work(2000, 1, 1000) // takes the place of a task among those with the most work
	list := x.list()
	if top := list.Most[0]; top.ID != 2000 || top.Work != 1000 || list.Most[MostTasks-1].ID != MostTasks-1 {
		t.Errorf("most: %+v to %+v", top, list.Most[MostTasks-1])
	}
	if s := *x.sum(MostTasks); s != (taskSum{work: 100}) {
		t.Errorf("the task that is no longer among them: %+v", s)
	}
}
