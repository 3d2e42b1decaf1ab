//go:build js

package screen

import (
	"encoding/binary"
	"errors"
	"math"
	"syscall/js"
	"time"

	"whorl/visual/app"
	"whorl/visual/sound"
)

// A webAudio is the sink of the browser's sound (the Web Audio API): what begins in one step is mixed here, and the browser adds it to what
// sounds still.
type webAudio struct{ context js.Value }

// hear has the sounds go to the browser.
func (p *page) hear() {
	if p.audio == nil {
		s, err := newWebAudio()
		if err != nil {
			p.queue.add(app.Event{Kind: app.NoSound, Text: err.Error()})
			p.rouse()
			return
		}
		p.audio = s
	}
	p.sink = p.audio
	p.audio.context.Call("resume")
}

// hush lets the browser's sound rest.
func (p *page) hush() {
	p.sink = sound.Null{}
	if p.audio != nil {
		p.audio.context.Call("suspend")
	}
}

func newWebAudio() (s *webAudio, err error) {
	kind := js.Global().Get("AudioContext")
	if !kind.Truthy() {
		return nil, errors.New("this browser has none (AudioContext)")
	}
	defer func() {
		if e := recover(); e != nil { // the browser refuses by an exception
			err = errors.New("the browser has no sound device to give")
		}
	}()
	return &webAudio{kind.New(map[string]any{"sampleRate": sound.Rate})}, nil
}

// Play has the tones sound from now on, whatever the clock says.
func (s *webAudio) Play(_ time.Duration, tones []sound.Tone) {
	var sides [2][]byte
	err := sound.Mix(tones, func(piece []float32) error {
		for i, x := range piece {
			sides[i%2] = binary.LittleEndian.AppendUint32(sides[i%2], math.Float32bits(x))
		}
		return nil
	})
	if err != nil || len(sides[0]) == 0 {
		return
	}
	buffer := s.context.Call("createBuffer", len(sides), len(sides[0])/4, sound.Rate)
	for i, b := range sides {
		samples := buffer.Call("getChannelData", i)
		js.CopyBytesToJS(js.Global().Get("Uint8Array").New(samples.Get("buffer"), samples.Get("byteOffset"), len(b)), b)
	}
	source := s.context.Call("createBufferSource")
	source.Set("buffer", buffer)
	source.Call("connect", s.context.Get("destination"))
	source.Call("start")
}

// Close gives the browser's sound back.
func (s *webAudio) Close() error {
	s.context.Call("close")
	return nil
}
