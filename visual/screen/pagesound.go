//go:build js

package screen

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"syscall/js"
	"time"

	"whorl/visual/app"
	"whorl/visual/sound"
)

// A webAudio plays sound through the Web Audio API. It mixes the tones that begin in one step, and the browser adds
// the result to the sound that is playing.
type webAudio struct {
	context js.Value
	ear     sound.Ear
	playing []played
}

// A played holds the tones of one step: their mixer, their start in the browser's time, and the source that plays
// them until their end.
type played struct {
	mixer       sound.Mixer
	from, until float64 // s
	source      js.Value
	moves       bool // some tones move
}

// hear directs sound to the browser.
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

// hush suspends the browser's sound.
func (p *page) hush() {
	p.sink = silence{}
	if p.audio != nil {
		p.audio.context.Call("suspend")
	}
}

func newWebAudio() (s *webAudio, err error) {
	kind := js.Global().Get("AudioContext")
	if !kind.Truthy() {
		return nil, errors.New("this browser has no AudioContext")
	}
	defer func() {
		if e := recover(); e != nil { // the browser throws an exception
			err = errors.New("the browser has no sound device")
		}
	}()
	return &webAudio{context: kind.New(map[string]any{"sampleRate": sound.Rate})}, nil
}

// Play starts the tones now. It ignores the clock.
func (s *webAudio) Play(_ time.Duration, tones []sound.Tone) {
	p := played{from: s.soon(), moves: slices.ContainsFunc(tones, func(t sound.Tone) bool { return len(t.Way) > 0 })}
	p.mixer.Hear(s.ear)
	p.mixer.Add(tones...)
	s.tidy()
	if s.start(&p) {
		s.playing = append(s.playing, p)
	}
}

// Hear moves the ear. Tones that the browser is playing are mixed again from their current position and replaced.
func (s *webAudio) Hear(_ time.Duration, e sound.Ear) {
	if e == s.ear {
		return
	}
	s.ear = e
	s.tidy()
	for i := range s.playing {
		p := &s.playing[i]
		frames := int(math.Round((s.soon() - p.from) * sound.Rate))
		if !p.moves || frames < 0 {
			continue
		}
		p.mixer.Mix(make([]float32, 2*frames))
		p.mixer.Hear(e)
		p.from += float64(frames) / sound.Rate
		p.source.Call("stop", p.from)
		s.start(p)
	}
}

// soon returns the earliest time at which the browser can reliably start a sound.
func (s *webAudio) soon() float64 { return s.context.Get("currentTime").Float() + 0.01 }

// tidy forgets sounds that have ended.
func (s *webAudio) tidy() {
	now := s.context.Get("currentTime").Float()
	s.playing = slices.DeleteFunc(s.playing, func(p played) bool { return p.until < now })
}

// start passes the remaining sound to the browser. It returns false if nothing remains.
func (s *webAudio) start(p *played) bool {
	var sides [2][]byte
	_ = p.mixer.Ahead(func(piece []float32) error { // the function never fails
		for i, x := range piece {
			sides[i%2] = binary.LittleEndian.AppendUint32(sides[i%2], math.Float32bits(x))
		}
		return nil
	})
	frames := len(sides[0]) / 4
	if frames == 0 {
		return false
	}
	buffer := s.context.Call("createBuffer", len(sides), frames, sound.Rate)
	for i, b := range sides {
		samples := buffer.Call("getChannelData", i)
		js.CopyBytesToJS(js.Global().Get("Uint8Array").New(samples.Get("buffer"), samples.Get("byteOffset"), len(b)), b)
	}
	p.source = s.context.Call("createBufferSource")
	p.source.Set("buffer", buffer)
	p.source.Call("connect", s.context.Get("destination"))
	p.source.Call("start", p.from)
	p.until = p.from + float64(frames)/sound.Rate
	return true
}

// Close closes the browser's audio context.
func (s *webAudio) Close() error {
	s.context.Call("close")
	return nil
}
