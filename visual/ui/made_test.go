package ui

// NewDocument returns a document with a text and the caret at its start.
func NewDocument(text string) *Document {
	d := &Document{}
	d.SetText(text)
	return d
}

// Name returns the ID of the widget with a path such as "pane/toolbar/run".
func Name(path string) ID { return rootScope.child(path) }
