//go:build js

package screen

import (
	"errors"
	"syscall/js"

	"whorl/lesson"
	"whorl/visual/app/lessons"
)

// NewLessons returns the lessons in a file beside the page.
func NewLessons() lesson.Library {
	return &lessons.Fetched{File: URLFile("lessons.json", "lessons.json")}
}

// NewProgress returns the progress in lessons that the browser keeps.
func NewProgress() lessons.Keeper { return storage{} }

// progressName is the name of the progress in the storage of the browser.
const progressName = "whorl.lessons"

type storage struct{}

// Load reads the progress. A browser without storage for the page has none.
func (storage) Load() (lesson.Progress, error) {
	text := js.Global().Get("whorl").Call("kept", progressName)
	if text.Type() != js.TypeString {
		return lesson.Progress{}, nil
	}
	return lesson.ReadProgress([]byte(text.String()))
}

func (storage) Save(p *lesson.Progress) error {
	if !js.Global().Get("whorl").Call("keep", progressName, string(p.Write())).Bool() {
		return errors.New("the browser gives this page no storage")
	}
	return nil
}
