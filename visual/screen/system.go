//go:build window && !js

package screen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"

	"whorl/visual/app"
	"whorl/visual/documents"
	"whorl/visual/sound"
	"whorl/visual/ui"
)

// fulfil carries out a request that needs the system. Programs that interact with the user run in the background.
func (w *window) fulfil(a app.Ask) {
	switch a.Do {
	case app.OpenFile:
		go w.open()
	case app.SaveFile:
		go w.save(a)
	case app.CopyText:
		clipboard.Store(&a.Text)
		go func() { _ = copyOut(a.Text) }() // without such a program, the viewer's own clipboard is used
	case app.PasteText:
		go w.paste()
	case app.SoundOn:
		go w.hear()
	case app.SoundOff:
		w.listen(silence{})
	case app.EditLine:
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

// open shows a file dialog. The answer is a Drop event; if there is no dialog, its file reports the error when read.
func (w *window) open() {
	path, err := dialog([][]string{
		{"zenity", "--file-selection", "--title=Open a trace"},
		{"kdialog", "--title", "Open a trace", "--getopenfilename", "."},
	})
	switch {
	case err != nil:
		w.answer(app.Event{Kind: app.Drop, File: &documents.File{Name: "Open", Size: -1, Read: func() (io.ReadCloser, error) { return nil, err }}})
	case path != "":
		w.answer(app.Event{Kind: app.Drop, File: PathFile(path)})
	}
}

// save asks for a path and writes the file. Without a dialog it writes to the working directory under an unused name.
func (w *window) save(a app.Ask) {
	name := filepath.Base(a.Name)
	path, err := dialog([][]string{
		{"zenity", "--file-selection", "--save", "--confirm-overwrite", "--filename=" + name},
		{"kdialog", "--getsavefilename", name},
	})
	unasked := errors.Is(err, errNoDialog)
	if unasked {
		path = free(name)
		if whole, err := filepath.Abs(path); err == nil {
			path = whole
		}
	} else if err != nil || path == "" {
		return
	}
	if err := w.files.Write(path, func(out io.Writer) error { _, err := out.Write(a.Data); return err }); err != nil {
		w.answer(app.Event{Kind: app.Drop, File: &documents.File{Name: path, Size: -1, Read: func() (io.ReadCloser, error) { return nil, err }}})
	} else if unasked {
		w.answer(app.Event{Kind: app.Saved, Text: path})
	}
}

// free returns a file name that does not exist: name, or name with a number.
func free(name string) string {
	ext := filepath.Ext(name)
	for n, try := 2, name; ; n++ {
		if _, err := os.Lstat(try); err != nil {
			return try
		}
		try = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
	}
}

// dialog runs the first installed program and returns the chosen path, "" if the user cancelled.
func dialog(programs [][]string) (string, error) {
	for _, p := range programs {
		if _, err := exec.LookPath(p[0]); err != nil {
			continue
		}
		out, err := exec.Command(p[0], p[1:]...).Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			return "", nil
		}
		return strings.TrimRight(string(out), "\n"), err
	}
	return "", errNoDialog
}

var errNoDialog = errors.New("no file dialog (zenity or kdialog) is installed: drop the file on the window or name it on the command line")

// clipboard holds the last copied text, for systems without a program that keeps it.
var clipboard atomic.Pointer[string]

func copyOut(text string) error {
	for _, p := range [][]string{{"wl-copy"}, {"xclip", "-selection", "clipboard"}, {"xsel", "-bi"}} {
		if _, err := exec.LookPath(p[0]); err != nil {
			continue
		}
		cmd := exec.Command(p[0], p[1:]...)
		cmd.Stdin = strings.NewReader(text)
		if err := cmd.Run(); err == nil {
			return nil
		}
	}
	return exec.ErrNotFound
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
