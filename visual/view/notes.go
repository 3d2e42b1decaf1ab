package view

// Annotated is a View that shows annotations.
type Annotated interface {
	View

	// Unplaced lists the annotations of the frame's trace that the picture has no task for, or no room.
	Unplaced(f *Frame, geometry any) []Annotation
}

// Unplaced lists the annotations that the last picture (Shoot) does not show.
func (o *Opened) Unplaced() []Annotation {
	if v, ok := o.Kind.View.(Annotated); ok && o.shot != nil {
		return v.Unplaced(o.shot, o.shown)
	}
	return nil
}
