//go:build js

package screen

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"syscall/js"
	"time"

	"whorl/internal/webport"
	"whorl/tracer/store"
	"whorl/visual/app"
	"whorl/visual/app/chooser"
	"whorl/visual/app/export"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/ui"
)

// await waits for a promise. It blocks its goroutine.
func await(promise js.Value) (js.Value, error) {
	type result struct {
		value js.Value
		err   error
	}
	done := make(chan result, 1)
	yes := js.FuncOf(func(_ js.Value, args []js.Value) any {
		r := result{value: js.Undefined()}
		if len(args) > 0 {
			r.value = args[0]
		}
		done <- r
		return nil
	})
	defer yes.Release()
	no := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- result{err: errors.New(args[0].Call("toString").String())}
		return nil
	})
	defer no.Release()
	promise.Call("then", yes, no)
	r := <-done
	return r.value, r.err
}

// blobFile returns a file of the browser for the viewer. Reading a dropped folder fails, which the viewer reports.
func blobFile(blob js.Value) *documents.File {
	name := blob.Get("name").String()
	return &documents.File{
		Name: name, URL: js.Global().Get("URL").Call("createObjectURL", blob).String() + "#" + url.PathEscape(name), Size: int64(blob.Get("size").Float()),
		Read: func() (io.ReadCloser, error) { return &blobReader{blob: blob, size: blob.Get("size").Float()}, nil },
	}
}

// A blobReader reads a blob in pieces, so that the page does not hold a large file twice.
type blobReader struct {
	blob         js.Value
	offset, size float64
	piece        []byte
}

// pieceSize is the size of a piece in bytes.
const pieceSize = 1 << 20

func (r *blobReader) Read(p []byte) (int, error) {
	if len(r.piece) == 0 {
		if r.offset >= r.size {
			return 0, io.EOF
		}
		end := min(r.offset+pieceSize, r.size)
		buffer, err := await(r.blob.Call("slice", r.offset, end).Call("arrayBuffer"))
		if err != nil {
			return 0, err
		}
		array := js.Global().Get("Uint8Array").New(buffer)
		r.piece = make([]byte, array.Get("length").Int())
		js.CopyBytesToGo(r.piece, array)
		r.offset = end
		if len(r.piece) == 0 {
			return 0, io.ErrUnexpectedEOF
		}
	}
	n := copy(p, r.piece)
	r.piece = r.piece[n:]
	return n, nil
}

func (r *blobReader) Close() error { return nil }

// NewFetch returns a function that returns the file at an address, whose fragment is the name of the file; nil for a path that is no address.
func NewFetch() func(address string) *documents.File {
	return func(address string) *documents.File {
		switch at, err := url.Parse(address); {
		case err != nil || at.Scheme == "":
			return nil
		default:
			return URLFile(cmp.Or(at.Fragment, path.Base(at.Path)), address)
		}
	}
}

// URLFile returns a file that the page fetches.
func URLFile(name, address string) *documents.File {
	base := js.Global().Get("document").Get("baseURI")
	whole := js.Global().Get("URL").New(address, base)
	whole.Set("hash", url.PathEscape(name))
	return &documents.File{Name: name, URL: whole.Get("href").String(), Size: -1, Read: func() (io.ReadCloser, error) {
		response, err := await(js.Global().Call("fetch", address))
		if err != nil {
			return nil, err
		}
		if !response.Get("ok").Bool() {
			return nil, errors.New(address + ": the server answers " + response.Get("status").Call("toString").String())
		}
		return &body{reader: response.Get("body").Call("getReader")}, nil
	}}
}

// A body reads the answer of a server while it arrives.
type body struct {
	reader js.Value // a ReadableStreamDefaultReader
	piece  []byte
	ended  bool
	rested time.Duration // when Read last let the browser draw
}

// readFor is how long a body is read before the browser may draw. What has arrived is read without a return to the browser.
const readFor = 8 * time.Millisecond

func (b *body) Read(p []byte) (int, error) {
	for len(b.piece) == 0 {
		if now() > b.rested+readFor {
			time.Sleep(time.Microsecond)
			b.rested = now()
		}
		got, err := await(b.reader.Call("read"))
		if b.ended = err != nil || got.Get("done").Bool(); err != nil {
			return 0, err
		}
		if b.ended {
			return 0, io.EOF
		}
		value := got.Get("value")
		b.piece = make([]byte, value.Get("length").Int())
		js.CopyBytesToGo(b.piece, value)
	}
	n := copy(p, b.piece)
	b.piece = b.piece[n:]
	return n, nil
}

func (b *body) Close() error {
	if !b.ended {
		b.reader.Call("cancel")
	}
	return nil
}

// Open returns what to open first: the files of the address (?open=URL) and what the server offers (whorl.json). With piped the page is the window of a
// detached pane, and the connection is the one to the page that has opened it.
func Open(args []string, piped bool, _ string, wake chan<- struct{}) (o Opened, err error) {
	if piped {
		port := js.Global().Get("whorl").Get("port")
		o.Run = webport.New(port, func() { endPort(port) })
		return o, nil
	}
	for _, url := range args {
		o.Files = append(o.Files, URLFile(path.Base(url), url))
	}
	offer := URLFile("whorl.json", "whorl.json")
	r, err := offer.Read()
	if err != nil {
		return o, nil // a plain file server, without offers
	}
	defer r.Close()
	var offered Offer
	if err := json.NewDecoder(r).Decode(&offered); err != nil {
		return o, nil
	}
	for _, t := range offered.Traces {
		o.Files = append(o.Files, URLFile(t.Name, t.URL))
	}
	if offered.Run != "" {
		o.Run = newWebRun(offered.Run)
	}
	if offered.Session != "" {
		if o.Session = NewAccess(offered.Session, wake); o.Session == nil {
			return o, errors.New("this is a shared session: open the whole link that you were given, with all that follows the sign #")
		}
	}
	return o, nil
}

// An Offer lists the traces that a server offers to a page, in the file whorl.json beside it.
type Offer struct {
	Traces  []Offered `json:"traces"`
	Run     string    `json:"run"`     // the start of the addresses of a run that goes on, "" for none
	Session string    `json:"session"` // the start of the addresses of a shared session, "" for none
}

// An Offered is one trace with its address.
type Offered struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// NewDisk returns nil: the browser has dialogs for files of its own.
func NewDisk() chooser.Disk { return nil }

// NewWindows returns a function that opens another window, which is a pop-up with this page, and returns the connection to it; nil in such a window.
func NewWindows() func() (io.ReadWriteCloser, error) {
	page := js.Global().Get("whorl")
	if page.Get("port").Truthy() {
		return nil
	}
	return func() (io.ReadWriteCloser, error) {
		port := page.Call("detach")
		if !port.Truthy() {
			return nil, errors.New("the browser has blocked the window of the pane: allow pop-ups for this page, by the sign at the end of the address, and try again")
		}
		return webport.New(port, func() { endPort(port) }), nil
	}
}

// endPort tells the other window that this one has closed the connection.
func endPort(port js.Value) {
	port.Call("postMessage", map[string]any{"stopped": "the other window has closed the connection"})
	port.Call("close")
}

// NewScratch returns nil: pages have no temporary files.
func NewScratch() func() (store.Scratch, error) { return nil }

// NewFilm returns nil: a page leaves films to the window and the command line, so that it stays small.
func NewFilm() export.NewFilm { return nil }

// fulfil carries out a request that only the browser can.
func (p *page) fulfil(a outbox.Ask) {
	switch a.Do {
	case outbox.OpenFile:
		p.chooser.Call("click")
	case outbox.SaveFile:
		array := js.Global().Get("Uint8Array").New(len(a.Data))
		js.CopyBytesToJS(array, a.Data)
		js.Global().Get("whorl").Call("save", a.Name, array)
	case outbox.CopyText:
		js.Global().Get("whorl").Call("copy", a.Text)
	case outbox.PasteText:
		go p.paste()
	case outbox.SoundOn:
		p.hear()
	case outbox.SoundOff:
		p.hush()
	case outbox.EditLine:
		p.edit(a)
	case outbox.Quit:
		p.quit = true
	}
}

// edit opens a line in an editor that handles the addresses of VS Code, which need absolute paths. A page has no
// other way to open an editor. If the trace does not have the absolute path, edit copies the place to the clipboard.
func (p *page) edit(a outbox.Ask) {
	place := fmt.Sprintf("%s:%d", a.Name, a.Line)
	if strings.HasPrefix(a.Name, "/") {
		js.Global().Get("window").Call("open", fmt.Sprintf("vscode://file%s:%d", (&url.URL{Path: a.Name}).EscapedPath(), a.Line), "_self")
		return
	}
	js.Global().Get("whorl").Call("copy", place)
	p.queue.add(app.Event{Kind: app.Answer, Text: place + " is on the clipboard: the page can open only files whose absolute path is in the trace"})
	p.rouse()
}

// paste answers with the text of the clipboard, if the browser allows it.
func (p *page) paste() {
	clipboard := js.Global().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() || !clipboard.Get("readText").Truthy() {
		say("This browser pastes with the keyboard only: Ctrl+V.")
		return
	}
	text, err := await(clipboard.Call("readText"))
	if err != nil {
		say("The browser does not let the page read the clipboard: paste with Ctrl+V.")
		return
	}
	p.queue.add(app.Event{Kind: ui.Text, Text: text.String(), X: p.x, Y: p.y})
	p.rouse()
}
