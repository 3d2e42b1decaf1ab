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

// A webAudio is the sink of the browser's sound (the Web Audio API): what begins in one step is mixed here, and the browser adds it to what
// sounds still.
type webAudio struct {
	context js.Value
	ear     sound.Ear
	playing []played
}

// A played is what began in one step: its mixer, at a time of the browser's, and the source that the browser plays it from until it is over.
type played struct {
	mixer       sound.Mixer
	from, until float64 // s
	source      js.Value
	moves       bool // some of it comes from a place
}

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
	return &webAudio{context: kind.New(map[string]any{"sampleRate": sound.Rate})}, nil
}

// Play has the tones sound from now on, whatever the clock says.
func (s *webAudio) Play(_ time.Duration, tones []sound.Tone) {
	p := played{from: s.soon(), moves: slices.ContainsFunc(tones, func(t sound.Tone) bool { return len(t.Way) > 0 })}
	p.mixer.Hear(s.ear)
	p.mixer.Add(tones...)
	s.tidy()
	if s.start(&p) {
		s.playing = append(s.playing, p)
	}
}

// Hear has an ear hear from now on. What the browser has got already is mixed again from where it is, and takes its place.
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

// soon is a time of the browser's that it can still keep.
func (s *webAudio) soon() float64 { return s.context.Get("currentTime").Float() + 0.01 }

// tidy forgets what has died away.
func (s *webAudio) tidy() {
	now := s.context.Get("currentTime").Float()
	s.playing = slices.DeleteFunc(s.playing, func(p played) bool { return p.until < now })
}

// start hands the browser all that is to come of something; false where that is nothing.
func (s *webAudio) start(p *played) bool {
	var sides [2][]byte
	_ = p.mixer.Ahead(func(piece []float32) error { // nor has that an error
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

// Close gives the browser's sound back.
func (s *webAudio) Close() error {
	s.context.Call("close")
	return nil
}
