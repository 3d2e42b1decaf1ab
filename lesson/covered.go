package lesson

import "slices"

// Predictions returns the ids of the predictions, in their order.
func (l *Lesson) Predictions() (ids []string) {
	for i := range l.Blocks {
		if l.Blocks[i].Kind == Predict {
			ids = append(ids, l.Blocks[i].ID)
		}
	}
	return ids
}

// Covered returns the runs of a lesson that give away a prediction which the learner has yet to make, in alphabetical order. A run that the lesson has shown or
// asked about before a prediction stays visible.
func (l *Lesson) Covered(s *State) (runs []string) {
	var open []string // runs that were shown or asked about
	for i := range l.Blocks {
		b := &l.Blocks[i]
		switch {
		case b.Kind == Predict && b.Question != nil:
			if s.Completed(b.ID) {
				continue
			}
			for _, run := range b.Question.Runs {
				if !slices.Contains(open, run) {
					runs = append(runs, run)
				}
			}
		case b.Kind == PictureOf && b.Picture != nil:
			open = append(open, b.Picture.Run)
		case b.Kind == ToDo && b.Task != nil:
			open = append(open, b.Task.Run)
		case b.Kind == Ask && b.Question != nil:
			open = append(open, b.Question.Runs...)
		}
	}
	slices.Sort(runs)
	return slices.Compact(runs)
}
