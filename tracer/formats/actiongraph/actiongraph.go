// Package actiongraph reads the actions of a build by the go command: go build -debug-actiongraph=FILE. Each action names those that it depends on,
// and when it was ready, began and was done. The go command does not name the processes that run its actions. The commands of an action are not kept.
package actiongraph

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"whorl/tracer"
	"whorl/tracer/formats/actions"
	"whorl/tracer/formats/gzipped"
)

// An action is an entry of the file.
type action struct {
	ID                             int
	Mode, Package                  string
	Deps                           []int
	TimeReady, TimeStart, TimeDone time.Time
}

// name returns the work of the action, as in build fmt.
func (a *action) name() string {
	mode := a.Mode
	if i := strings.IndexByte(mode, '/'); i >= 0 { // the file of an action of cgo lies in a folder that is new for each build
		mode = mode[:i] + mode[strings.LastIndexByte(mode, '/')+1:]
	}
	return strings.TrimSpace(mode + " " + a.Package)
}

// Detect reports whether a file that begins with head, compressed or not, may be a graph of actions.
func Detect(head []byte) bool {
	head = bytes.TrimSpace(gzipped.Head(head))
	if !bytes.HasPrefix(head, []byte("[")) {
		return false
	}
	head = bytes.TrimSpace(head[1:])
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"Mode"`)) && bytes.Contains(head, []byte(`"Deps"`))
}

// read returns the actions, and a sentence about those that are missing. It leaves out an action with a value of another type.
func read(d *json.Decoder) (all []action, missing string, err error) {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, "", fmt.Errorf("offset %d: not a list of actions: expected [", d.InputOffset())
	}
	damaged, first := 0, ""
	for d.More() {
		var a action
		err := d.Decode(&a)
		if err == nil {
			all = append(all, a)
			continue
		}
		at := fmt.Sprintf("offset %d: %v: expected an action with ID, Mode, Package, Deps, TimeReady, TimeStart and TimeDone", d.InputOffset(), err)
		if kind, clock := new(json.UnmarshalTypeError), new(time.ParseError); errors.As(err, &kind) || errors.As(err, &clock) {
			if damaged++; damaged == 1 {
				first = at
			}
			continue
		}
		switch {
		case len(all) == 0:
			return nil, "", errors.New(at)
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			at = fmt.Sprintf("offset %d on: the file is cut", d.InputOffset())
		}
		return all, "the actions from " + at, nil
	}
	_, err = d.Token()
	switch {
	case len(all) == 0 && damaged > 0:
		return nil, "", errors.New(first)
	case err != nil:
		missing = fmt.Sprintf("the end of the list of actions: the file is cut at offset %d", d.InputOffset())
	case damaged == 1:
		missing = "an action: " + first
	case damaged > 1:
		missing = fmt.Sprintf("%d actions, the first at %s", damaged, first)
	case trailing(d):
		missing = fmt.Sprintf("the text from offset %d on: it follows the list of actions", d.InputOffset())
	}
	return all, missing, nil
}

// trailing reports whether the text goes on after the list.
func trailing(d *json.Decoder) bool {
	_, err := d.Token()
	return !errors.Is(err, io.EOF)
}

// record records the actions that ran.
func record(rec tracer.Recorder, all []action, missing string) error {
	b := actions.Build{Program: "go build", Process: "go", Actions: make([]*actions.Action, len(all))}
	ids := make(map[int]int, len(all))
	var start time.Time
	left := int64(0)
	for i := range all {
		a := &all[i]
		ids[a.ID] = i
		b.Actions[i] = &actions.Action{Name: a.name(), Ran: a.ran()}
		switch {
		case !a.ran():
			left++
		case start.IsZero() || a.TimeStart.Before(start):
			start = a.TimeStart
		}
	}
	if left == int64(len(all)) {
		return errors.New("no action has run: the build had nothing to do; -a builds everything")
	}
	last := -1
	for i := range all {
		a, x := &all[i], b.Actions[i]
		for _, id := range a.Deps {
			if k, ok := ids[id]; ok {
				x.Deps = append(x.Deps, b.Actions[k])
			}
		}
		if !a.ran() {
			continue
		}
		x.From, x.To = int64(a.TimeStart.Sub(start)), int64(a.TimeDone.Sub(start))
		if last < 0 || x.To > b.Actions[last].To {
			last = i
		}
	}
	if p := all[last].Package; p != "" {
		b.Args = []string{p}
	}
	if missing != "" {
		b.Dropped.Once(missing)
	}
	b.Dropped.Add("actions without times, which did not run", left)
	b.Record(rec)
	return nil
}

// ran reports whether the action has times.
func (a *action) ran() bool {
	return a.TimeStart.Year() > 1 && !a.TimeDone.Before(a.TimeStart) && a.TimeDone.Sub(a.TimeStart) < 1<<52
}
