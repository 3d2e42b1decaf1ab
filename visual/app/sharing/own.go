package sharing

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"whorl/visual/app/lessons"
	"whorl/visual/share"
	"whorl/visual/view"
	"whorl/visual/workspace/stage"
)

// An ownStage has the registers of the stage that a person who roams has alone, so that it is there when the program of the person was killed. Nobody else
// reads them.
type ownStage struct{ member *share.Member }

// key returns the key of a register of the stage in a session.
func (o ownStage) key(key string) string { return share.PersonKey(o.member.Me(), share.Own+key) }

// Keys lists the registers with a prefix, in order.
func (o ownStage) Keys(prefix string) []string {
	keys := o.member.Keys(o.key(prefix))
	for i, key := range keys {
		keys[i] = strings.TrimPrefix(key, o.key(""))
	}
	return keys
}

// Get decodes the value of a register.
func (o ownStage) Get(key string, value any) bool { return o.member.Get(o.key(key), value) }

// publishOwn writes the stage of this person alone, while the person roams. now has the registers of the workspace.
func (s *Session) publishOwn(now map[string]string) {
	var want map[string]string
	if s.mode.Roam {
		want = maps.Clone(now)
		maps.DeleteFunc(want, func(key, _ string) bool { return stage.IsNote(key) })
		for _, name := range s.repeated() {
			want[stage.RunKey(name)] = s.runOf(name)
		}
		if place := s.lessons.Place(); place.Lesson != "" {
			if b, err := json.Marshal(place); err == nil {
				want[stage.Lesson] = string(b)
			}
		}
	}
	own := ownStage{s.member}
	var all []share.Change
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if s.own[key] != want[key] {
			all = append(all, share.Change{Key: own.key(key), Value: json.RawMessage(want[key])})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.own)) {
		if want[key] == "" {
			all = append(all, share.Change{Key: own.key(key)})
		}
	}
	s.own = want
	s.set(all...)
}

// comeBack shows what an earlier program of this person showed. chosen is the selection that the person had, empty for none.
func (s *Session) comeBack(chosen view.Selection) {
	own := ownStage{s.member}
	s.own, s.back = map[string]string{}, map[int]bool{}
	for _, key := range own.Keys("") {
		value, _ := s.member.Value(own.key(key))
		s.own[key] = string(value)
	}
	w := &s.model.Workspace
	if s.mode.Roam {
		from := stage.Board(own)
		if len(own.Keys(stage.Panes)) == 0 { // it roamed from the beginning
			from = s.member
		}
		s.runPrograms(from)
		stage.Show(from, w, s.window.Scale)
		var at lessons.Place
		if from.Get(stage.Lesson, &at); at.Lesson != "" {
			s.lessons.Go(at, true)
		}
		s.model.UpdatePanes()
	}
	if s.lead() == 0 {
		for _, id := range w.IDs {
			var c seen
			s.back[id] = s.member.Get(s.key(cameraOf(id)), &c)
		}
	}
	if !chosen.Empty() && w.Apply(view.Action{Do: view.Select, Selection: &chosen, More: true}) == nil {
		s.chosen = chosen
		s.put(s.key("selection"), chosen)
	}
}

// restoreCameras gives panes that have found their places the cameras that they had in an earlier program of this person.
func (s *Session) restoreCameras() {
	moved := false
	for i, id := range s.model.IDs {
		if s.back[id] && s.placedAt(id) != nil {
			moved = s.adoptCamera(s.member.Me(), i, id) || moved
			delete(s.back, id)
		}
	}
	if moved {
		s.cameras.Forget()
	}
}
