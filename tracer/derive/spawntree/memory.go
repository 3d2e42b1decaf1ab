package spawntree

import "whorl/internal/figures"

// A MemoryError reports that a tree cannot be condensed to the memory that a pass may use.
type MemoryError struct {
	Memory int64 // bytes
	Reason string
	Enough int64 // bytes that would probably do, as far as the trace was read; 0 if that is not known
}

func (e *MemoryError) Error() string {
	return "the tree cannot be condensed to " + figures.Size(e.Memory) + ": " + e.Reason
}

// room makes room for more nodes if there is a limit. A node that waits for children takes a third of the memory of a kept node.
func (w *walker) room() error {
	if w.most == 0 {
		return nil
	}
	if w.rows.Len()/3 < w.most {
		if w.sk == nil {
			return nil
		}
		if ok, err := w.spread(); ok || err != nil {
			return err
		}
	}
	return &MemoryError{
		w.Memory, figures.Count(int64(w.rows.Len())) + " nodes wait for children at one time",
		int64(1.25 * NodeBytes * float64(w.rows.Len()) * float64(w.events) / float64(w.read)), // if the rest of the trace is like the part read so far
	}
}

// spread folds the skeleton if it is full. If waiting nodes, which cannot be folded, take more than a quarter of it, it first becomes larger, up to the limit.
func (w *walker) spread() (bool, error) {
	for w.rows.Len() > w.sk.most/4 && w.sk.most < w.most {
		w.sk.most = min(2*w.sk.most, w.most)
	}
	return w.sk.room(w.pause)
}
