//go:build window && sound && !js

package screen

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/ebitengine/oto/v3"

	"whorl/visual/sound"
)

// A speaker plays sound on the system's device. It suspends the device while nothing sounds.
type speaker struct {
	context *oto.Context
	player  *oto.Player
	buf     []float32 // buffer of Read

	mu      sync.Mutex
	mixer   sound.Mixer
	resting bool
	rest    *time.Timer
}

// Length of sound mixed ahead of playback, and timeout for the device to start.
const (
	ahead    = 40 * time.Millisecond
	patience = 5 * time.Second
)

// openSpeaker opens the sound device. A process calls it once.
func openSpeaker() (sound.Sink, error) {
	hushDriver()
	c, ready, err := oto.NewContext(&oto.NewContextOptions{
		SampleRate: sound.Rate, ChannelCount: 2, Format: oto.FormatFloat32LE, BufferSize: ahead,
	})
	if err == nil {
		select {
		case <-ready:
			err = c.Err()
		case <-time.After(patience):
			err = errors.New("no answer")
		}
	}
	if err != nil {
		why := err.Error()
		if _, devices, ok := strings.Cut(why, "snd_pcm_open: "); ok {
			why, _, _ = strings.Cut(devices, ", ") // the device tried first
		}
		return nil, fmt.Errorf("no sound device can be opened (%s)", why)
	}
	s := &speaker{context: c}
	s.rest = time.AfterFunc(time.Second, s.sleep)
	s.player = c.NewPlayer(s)
	s.player.SetBufferSize(int(ahead*sound.Rate/time.Second) * frameBytes)
	s.player.Play()
	return s, nil
}

const frameBytes = 2 * 4

// Read mixes the next samples for the device.
func (s *speaker) Read(p []byte) (int, error) {
	n := len(p) / frameBytes * 2
	if cap(s.buf) < n {
		s.buf = make([]float32, n)
	}
	part := s.buf[:n]
	s.mu.Lock()
	s.mixer.Mix(part)
	s.mu.Unlock()
	for i, x := range part {
		binary.LittleEndian.PutUint32(p[4*i:], math.Float32bits(x))
	}
	return 4 * n, nil
}

// Play starts the tones now. It ignores the clock.
func (s *speaker) Play(_ time.Duration, tones []sound.Tone) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mixer.Add(tones...)
	s.rest.Reset(sound.End(tones) + time.Second)
	if s.resting {
		s.resting = false
		_ = s.context.Resume() // resuming a removed device fails; it stays silent
	}
}

// Hear moves the ear.
func (s *speaker) Hear(_ time.Duration, e sound.Ear) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mixer.Hear(e)
}

// sleep suspends a silent device. Suspending a removed device may block, so sleep does not hold the lock meanwhile.
func (s *speaker) sleep() {
	s.mu.Lock()
	silent := s.mixer.Silent()
	s.resting = silent
	if !silent { // an earlier tone lasts longer than the last one
		s.rest.Reset(time.Second)
	}
	s.mu.Unlock()
	if !silent {
		return
	}
	_ = s.context.Suspend()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.resting { // Play was called meanwhile
		_ = s.context.Resume()
	}
}

// Close ends all sound.
func (s *speaker) Close() error {
	s.rest.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mixer = sound.Mixer{}
	return nil
}
