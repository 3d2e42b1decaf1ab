package sharing

import (
	"net/url"
	"strings"

	"whorl/visual/app/lessons"
)

// answerPrefix begins the registers of answers (docs/sharing.md).
const answerPrefix = "answer/"

// Answer tells an answer of this person to a question, whose key is LESSON/QUESTION. Presenters learn it without the name.
func (s *Session) Answer(key string, a lessons.Answer) {
	if s.line != nil && s.member.Joined() {
		s.put(s.member.AnswerKey(escaped(key)), a)
	}
}

// Crowds returns the answers of all others by LESSON/QUESTION for a person who presents, nil for others.
func (s *Session) Crowds() map[string]lessons.Crowd { return s.crowds }

// readAnswers reads the answers of the others.
func (s *Session) readAnswers() {
	s.crowds = nil
	if !s.member.Role().Presents() {
		return
	}
	own := s.member.AnswerKey("")
	for _, key := range s.member.Keys(answerPrefix) {
		var a lessons.Answer
		p := strings.SplitN(key, "/", 3)
		if strings.HasPrefix(key, own) || len(p) < 3 || !s.member.Get(key, &a) {
			continue
		}
		question, err := url.PathUnescape(p[2])
		if err != nil {
			continue
		}
		if s.crowds == nil {
			s.crowds = map[string]lessons.Crowd{}
		}
		s.crowds[question] = append(s.crowds[question], a)
	}
}

// escaped escapes the parts of a key.
func escaped(key string) string {
	parts := strings.Split(key, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}
