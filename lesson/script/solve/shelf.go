package solve

import (
	"context"
	"slices"
	"sync"

	"whorl/lesson"
	"whorl/lesson/script"
	"whorl/lessons"
)

// A Shelf is the library of the lessons that come with Whorl. It keeps the runs of the lesson that was opened last.
type Shelf struct {
	mu    sync.Mutex
	name  string
	cache Cache
}

var _ lesson.Library = (*Shelf)(nil)

// load reads a lesson in a language, or in English where it is not translated.
func load(name, lang string) (*script.Script, error) {
	folder, err := lessons.Folder(name)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(script.Languages(folder), lang) {
		lang = script.English
	}
	return script.Load(folder, name, "lessons/"+name, lang)
}

// Heads implements lesson.Library.
func (s *Shelf) Heads(lang string) (heads []lesson.Head, err error) {
	for _, name := range lessons.Names {
		l, err := load(name, lang)
		if err != nil {
			return nil, err
		}
		heads = append(heads, l.Head())
	}
	return heads, nil
}

// Open implements lesson.Library.
func (s *Shelf) Open(ctx context.Context, name, lang, set string, values map[string]string) (*lesson.Lesson, error) {
	l, err := load(name, lang)
	if err != nil {
		return nil, err
	}
	all, err := Values(l, set, values)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.name != name {
		s.name, s.cache = name, Cache{}
	}
	solution, err := s.cache.Solve(ctx, l, set, all)
	if err != nil {
		return nil, err
	}
	return solution.Lesson, nil
}

// Bundle computes all lessons that come with Whorl, in all languages and for all sets of their parameters.
func Bundle(ctx context.Context) (*lesson.Bundle, error) {
	var b lesson.Bundle
	for _, name := range lessons.Names {
		folder, err := lessons.Folder(name)
		if err != nil {
			return nil, err
		}
		var cache Cache
		for _, lang := range script.Languages(folder) {
			l, err := load(name, lang)
			if err != nil {
				return nil, err
			}
			for _, set := range Sets(l) {
				values, err := Values(l, set, nil)
				if err != nil {
					return nil, err
				}
				solution, err := cache.Solve(ctx, l, set, values)
				if err != nil {
					return nil, err
				}
				b.Lessons = append(b.Lessons, solution.Lesson)
			}
		}
	}
	return &b, nil
}
