package sharing

import (
	"whorl/visual/app/lessons"
	"whorl/visual/share"
	"whorl/visual/workspace/stage"
)

// publishLesson writes which lesson this person shows, and which step of it.
func (s *Session) publishLesson() {
	now := s.lessons.Place()
	if now.Equal(s.place) {
		return
	}
	s.place = now
	if now.Lesson == "" {
		s.set(share.Change{Key: stage.Lesson})
	} else {
		s.put(stage.Lesson, now)
	}
}

// adoptLesson shows the lesson of the session. back reports whether this person comes to it from elsewhere.
func (s *Session) adoptLesson(back bool) {
	var now lessons.Place
	s.member.Get(stage.Lesson, &now)
	if now.Lesson == "" && s.place.Lesson == "" { // a lesson of this person's own stays
		return
	}
	s.place = now
	s.lessons.Go(now, back)
	s.out.Redraw()
}
