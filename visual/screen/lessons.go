//go:build !js

package screen

import (
	"whorl/lesson"
	"whorl/lesson/script/solve"
	"whorl/visual/app/lessons"
)

// NewLessons returns the lessons that come with Whorl, which computes their answers.
func NewLessons() lesson.Library { return &solve.Shelf{} }

// NewProgress returns the file with the progress in lessons, which whorl lesson uses too.
func NewProgress() lessons.Keeper { return progressFile(lesson.ProgressFile()) }

type progressFile string

func (f progressFile) Load() (lesson.Progress, error) { return lesson.LoadProgress(string(f)) }

func (f progressFile) Save(p *lesson.Progress) error { return p.Save(string(f)) }
