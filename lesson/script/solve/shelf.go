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
		heads = append(heads, headOf(l))
	}
	return heads, nil
}

// headOf returns the head of a lesson with its cover: the first picture of a run, with the run of the defaults. A cover has only the facts known without
// making the run.
func headOf(s *script.Script) lesson.Head {
	h := s.Head()
	v := &solver{script: s, world: newWorld(), out: &Solution{Lesson: &lesson.Lesson{}}}
	values, err := Values(s, "", nil)
	if err != nil || v.parameters(values) != nil {
		return h
	}
	for _, part := range s.Parts {
		for _, pic := range part.Pictures {
			for _, table := range s.Front.Runs {
				if pic.Run == "" || table["name"] != pic.Run {
					continue
				}
				c := &lesson.Cover{View: pic.View}
				if c.Run, err = describe(s, table, v.world); err != nil {
					return h
				}
				if c.Params, err = v.params(part, pic.Params); err != nil {
					c.Params = nil
				}
				h.Cover = c
				return h
			}
		}
	}
	return h
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
			b.All = append(b.All, headOf(l))
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
