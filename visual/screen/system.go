//go:build window && !js

package screen

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"

	"whorl/visual/app"
	"whorl/visual/app/outbox"
	"whorl/visual/sound"
	"whorl/visual/ui"
)

// fulfil carries out a request that needs the system. Programs that interact with the user run in the background.
func (w *window) fulfil(a outbox.Ask) {
	switch a.Do {
	case outbox.SaveFile:
		go w.save(a)
	case outbox.CopyText:
		clipboard.Store(&a.Text)
		go w.copy(a.Text)
	case outbox.PasteText:
		go w.paste()
	case outbox.SoundOn:
		go w.hear()
	case outbox.SoundOff:
		w.listen(silence{})
	case outbox.EditLine:
		go w.edit(a)
	}
}

// hear directs sound to the system's device.
func (w *window) hear() {
	if sink, err := w.speaker(); err != nil {
		w.answer(app.Event{Kind: app.NoSound, Text: err.Error()})
	} else {
		w.listen(sink)
	}
}

func (w *window) listen(to sound.Sink) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sink = to
}

// answer gives the viewer an event.
func (w *window) answer(e app.Event) {
	w.queue.add(e)
	w.rouse()
}

// save writes a file and answers with its path or the error.
func (w *window) save(a outbox.Ask) {
	if err := w.files.Write(a.Path, func(out io.Writer) error { _, err := out.Write(a.Data); return err }); err != nil {
		w.answer(app.Event{Kind: app.Failed, Text: err.Error()})
		return
	}
	w.answer(app.Event{Kind: app.Saved, Text: a.Path})
}

// clipboard holds the last copied text, for systems without a program that keeps it.
var clipboard atomic.Pointer[string]

// copy puts a text on the clipboard of the system, and answers if there is no program that does so.
func (w *window) copy(text string) {
	for _, p := range [][]string{{"wl-copy"}, {"xclip", "-selection", "clipboard"}, {"xsel", "-bi"}} {
		if _, err := exec.LookPath(p[0]); err != nil {
			continue
		}
		cmd := exec.Command(p[0], p[1:]...)
		cmd.Stdin = strings.NewReader(text)
		if err := cmd.Run(); err == nil {
			return
		}
	}
	why := "other programs cannot paste what is copied here without wl-copy, xclip or xsel"
	if !strings.Contains(text, "\n") {
		why += "; it is " + text
	}
	w.answer(app.Event{Kind: app.Failed, Text: why})
}

// paste answers with the text of the clipboard.
func (w *window) paste() {
	for _, p := range [][]string{{"wl-paste", "-n"}, {"xclip", "-selection", "clipboard", "-o"}, {"xsel", "-bo"}} {
		if _, err := exec.LookPath(p[0]); err != nil {
			continue
		}
		if out, err := exec.Command(p[0], p[1:]...).Output(); err == nil {
			w.answer(app.Event{Kind: ui.Text, Text: string(bytes.ToValidUTF8(out, nil))})
			return
		}
	}
	if t := clipboard.Load(); t != nil {
		w.answer(app.Event{Kind: ui.Text, Text: *t})
	}
}
