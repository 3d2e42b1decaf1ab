//go:build window && sound && linux

package screen

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"whorl/visual/sound"
)

// TestSpeaker plays on a test device: a pipe that the system's driver writes to.
func TestSpeaker(t *testing.T) {
	dir := t.TempDir()
	pipe, config := filepath.Join(dir, "pipe"), filepath.Join(dir, "asound.conf")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("pcm.silent { type null }\npcm.!default { type file slave.pcm silent file %q format raw }\n", pipe)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ALSA_CONFIG_PATH", config)
	r, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, err := openSpeaker()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	// A driver that writes to a file is not limited in speed, so the test reads the pipe at the rate of a device. On a
	// busy machine the speaker may suspend the device before enough samples arrived, and no more follow.
	read := func(seconds float64) (left, right []float64) {
		b := make([]byte, int(seconds*sound.Rate)*frameBytes)
		for n := 0; n < len(b); {
			time.Sleep(10 * time.Millisecond)
			if err := r.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			m, err := r.Read(b[n:min(n+sound.Rate/100*frameBytes, len(b))])
			if errors.Is(err, os.ErrDeadlineExceeded) {
				b = b[:n/frameBytes*frameBytes]
			} else if err != nil {
				t.Fatal(err)
			}
			n += m
		}
		for i := 0; i < len(b); i += frameBytes {
			left = append(left, float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i:]))))
			right = append(right, float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i+4:]))))
		}
		return left, right
	}
	loudest := func(x []float64) (most float64) {
		for _, v := range x {
			most = max(most, math.Abs(v))
		}
		return most
	}
	before, _ := read(0.2)
	if most := loudest(before); most != 0 {
		t.Errorf("before the first tone there is a sample of %v", most)
	}
	s.Play(0, []sound.Tone{{Length: 300 * time.Millisecond, Pitch: 480, Pan: -1, Volume: 0.5}})
	x, _ := read(1)
	rises := 0
	for i := 1; i < len(x); i++ {
		if x[i-1] < 0 && x[i] >= 0 {
			rises++
		}
	}
	if most := loudest(x); most < 0.4 || most > 0.5 || rises < 100 || rises > 160 { // there are gaps if the machine is busy
		t.Errorf("a tone of 480 Hz and 0.3 s rises %d times with a loudness of %v", rises, most)
	}

	// The same tone from a place on the right, for an ear set before it and for one that looks back.
	tone := sound.Tone{Length: 300 * time.Millisecond, Pitch: 480, Volume: 0.5, Way: []sound.Place{{Position: sound.Vec{2, 0, 0}}}}
	for _, right := range []float64{1, -1} {
		s.Hear(0, sound.Ear{Right: sound.Vec{right, 0, 0}, Front: sound.Vec{0, 0, -right}, Near: 2})
		s.Play(0, []sound.Tone{tone})
		l, r := read(1)
		if right < 0 {
			l, r = r, l
		}
		if a, b := loudest(l), loudest(r); a > 0.01 || b < 0.2 { // there are gaps if the machine is busy
			t.Errorf("right direction %v: loudness %v on the far side, %v on the near one", right, a, b)
		}
	}
}
