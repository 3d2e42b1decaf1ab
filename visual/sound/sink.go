package sound

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"time"
)

// A Sink takes tones as they come, and makes them heard or keeps them.
type Sink interface {
	// Play has tones sound whose times count from now, a time on the clock of whoever plays. It does not wait for them.
	Play(now time.Duration, tones []Tone)

	// Hear has an ear hear from now on: what sounds, and what will.
	Hear(now time.Duration, e Ear)

	// Close ends the sound. The sink is not used afterwards.
	Close() error
}

// Null is the sink that nobody hears.
type Null struct{}

// Play does nothing.
func (Null) Play(time.Duration, []Tone) {}

// Hear does nothing.
func (Null) Hear(time.Duration, Ear) {}

// Close does nothing.
func (Null) Close() error { return nil }

// WAV is a sink that keeps the tones and writes them as a file of 16-bit samples in two channels (RIFF WAVE, of Microsoft and IBM, 1991)
// when it is closed. The clock of whoever plays begins at 0.
type WAV struct {
	w     io.Writer
	score Score
}

// NewWAV returns a sink that writes to w.
func NewWAV(w io.Writer) *WAV { return &WAV{w: w} }

// Play keeps the tones.
func (s *WAV) Play(now time.Duration, tones []Tone) {
	for _, t := range tones {
		t.At = later(t.At, now)
		s.score.Tones = append(s.score.Tones, t)
	}
}

// Hear keeps the ear.
func (s *WAV) Hear(now time.Duration, e Ear) { s.score.Ears = append(s.score.Ears, Hearing{now, e}) }

// Close writes the file, from time 0 to the end of the last tone.
func (s *WAV) Close() error { return WriteWAV(s.w, s.score) }

const wavHead = 44

// WriteWAV writes a score as a file of 16-bit samples in two channels. An error is that of w, or says that the file would be longer than its
// format can tell, 6 hours.
func WriteWAV(w io.Writer, score Score) error {
	const channels, bytes = 2, 2
	size := score.frames() * channels * bytes
	if size > 1<<32-1-wavHead {
		return errors.New("sounds of more than 6 hours do not fit into a WAV file")
	}
	b := bufio.NewWriterSize(w, 1<<16)
	u16, u32 := binary.LittleEndian.AppendUint16, binary.LittleEndian.AppendUint32
	head := u32([]byte("RIFF"), uint32(wavHead-8+size))
	head = u32(append(head, "WAVEfmt "...), 16)
	head = u16(u16(head, 1), channels) // 1: plain samples
	head = u32(u32(head, Rate), Rate*channels*bytes)
	head = u16(u16(head, channels*bytes), 8*bytes)
	head = u32(append(head, "data"...), uint32(size))
	_, _ = b.Write(head) // b remembers its error
	var out []byte
	err := Mix(score, func(piece []float32) error {
		out = out[:0]
		for _, x := range piece {
			out = u16(out, uint16(int16(math.Round(float64(x)*(1<<15-1)))))
		}
		_, err := b.Write(out)
		return err
	})
	return errors.Join(err, b.Flush())
}
