package viewtest

import "whorl/visual/scene"

// Strings returns the texts of a list in the order of drawing.
func Strings(l *scene.List) (texts []string) {
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpText {
			_, _, s, _ := o.Text()
			texts = append(texts, string(s))
		}
	}
	return texts
}
