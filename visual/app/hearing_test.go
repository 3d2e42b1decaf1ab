package app

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"whorl/tracer"
	"whorl/visual/app/outbox"
	"whorl/visual/sound"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// heard returns a trace of 8 us that plays 1 ns of the run in 1 ms: a chain of four goals on three PEs with a fifth beside it, and more goals in
// the last microsecond but one.
func heard(more int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 3})
	s := m.Stream(tracer.StreamInfo{})
	reduce := func(at int64, task, parent uint64, pe int32) {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: at, Task: task, Ref: parent, PE: pe, Peer: -1}
	}
	reduce(0, 1, 0, 0)
	reduce(100, 2, 1, 1)
	reduce(105, 3, 1, 2)
	reduce(205, 4, 3, 2)
	for i := range more {
		reduce(6000+int64(i), 6+uint64(i), 1, int32(i%3))
	}
	reduce(8000, 5, 4, 0)
	s.Sync()
	return m
}

// listen makes steps of 10 ms and returns their tones: time, pitch, side and volume.
func (d *driver) listen(steps int) (lines []string) {
	start := d.in.Now
	for range steps {
		d.step()
		for _, t := range d.out.Sounds {
			at := (d.in.Now + t.Start - start).Round(10 * time.Microsecond)
			lines = append(lines, fmt.Sprintf("%v %.1f Hz %+.1f %.3f", at, t.Pitch, t.Pan, t.Volume))
		}
	}
	return lines
}

func TestSoundOfAPlay(t *testing.T) {
	d := drive(t, Options{}, 1000, 700, 1)
	d.app.Open("chain", heard(30))
	d.settle()
	play := func(steps int) []string {
		d.app.player.ShowUntil(0, false)
		d.step(Event{Kind: ui.Key, Key: " "})
		lines := d.listen(steps)
		d.step(Event{Kind: ui.Key, Key: " "})
		return lines
	}
	if got := play(30); got != nil {
		t.Errorf("with the sound off there are tones: %q", got)
	}
	d.step(Event{Kind: ui.Key, Key: "M"})
	if len(d.asks) != 1 || d.asks[0].Do != outbox.SoundOn {
		t.Errorf("switching the sound on asks for %v", d.asks)
	}
	if got := d.listen(30); got != nil {
		t.Errorf("while nothing plays there are tones: %q", got)
	}
	d.until("the times of all goals", d.app.hearing.Ready)
	want := []string{
		"10.91ms 220.0 Hz -1.0 0.250", // the first step begins before the first goal: 1 ns of 11 ns, of 10 ms
		"110ms 330.0 Hz +0.0 0.250",   // a quarter of the way down: 3 of 15 steps
		"115ms 330.0 Hz +1.0 0.250",
		"215ms 550.0 Hz +1.0 0.250", // half of the way: 7 steps, an octave and a third
	}
	first := play(30)
	if !slices.Equal(first, want) {
		t.Errorf("the tones are\n%q\nwant\n%q", first, want)
	}
	if again := play(30); !slices.Equal(again, first) {
		t.Errorf("played again, the tones are\n%q\nand before\n%q", again, first)
	}

	// 30 goals in 30 ms are three steps with ten goals each. Eight goals of a step sound.
	d.app.player.ShowUntil(5999, false)
	d.step(Event{Kind: ui.Key, Key: " "})
	dense := d.listen(10)
	if len(dense) != 3*8 || !slices.IsSorted(dense[:8]) {
		t.Errorf("30 goals in three steps make %d tones, want 24: %q", len(dense), dense)
	}
	for _, line := range dense {
		if line[len(line)-5:] != "0.104" { // a quarter by 2.4
			t.Errorf("one of eight tones is %q, want the volume 0.104", line)
		}
	}

	// The slider makes no sound, and the switch silences at once.
	d.step(Event{Kind: ui.Key, Key: " "})
	d.app.player.ShowUntil(50, false)
	if got := d.listen(1); got != nil {
		t.Errorf("moving the slider makes the tones %q", got)
	}
	d.step(Event{Kind: ui.Key, Key: "M"})
	if got := play(30); got != nil || d.asks[len(d.asks)-1].Do != outbox.SoundOff {
		t.Errorf("switched off, there are the tones %q and the requests %v", got, d.asks)
	}
}

// TestSoundButton: the bar has a button for the sound, and the help names its key.
func TestSoundButton(t *testing.T) {
	d := drive(t, Options{}, 1000, 700, 1)
	d.app.Open("chain", heard(0))
	d.settle()
	r, ok := d.app.widgets.Where(usertest.Name("sound"))
	if !ok {
		t.Fatal("the bar has no button for the sound")
	}
	d.click(float64(r.X0+r.X1)/2, float64(r.Y0+r.Y1)/2)
	if !d.app.hearing.On {
		t.Error("the button does not switch the sound on")
	}
	d.step(Event{Kind: NoSound, Text: "this computer has no sound device"})
	d.settle()
	if d.app.hearing.On || !d.shows("There is no sound: this computer has no sound device") {
		t.Errorf("without a device the sound is on: %v\n%s", d.app.hearing.On, d.texts())
	}
	d.key("h", 0)
	if !d.shows("Hear what plays") {
		t.Errorf("the help does not name the key:\n%s", d.texts())
	}
}

// TestNothingToHear: a trace without goals and threads plays with one warning and without sound.
func TestNothingToHear(t *testing.T) {
	m := tracer.NewMemory()
	s := m.Stream(tracer.StreamInfo{})
	for i := range int64(8) {
		*s.Slot() = tracer.Event{Kind: tracer.Busy, Time: 1000 * i}
	}
	s.Sync()
	d := drive(t, Options{}, 1000, 700, 1)
	d.app.Open("busy", m)
	d.settle()
	d.step(Event{Kind: ui.Key, Key: "M"})
	d.step(Event{Kind: ui.Key, Key: " "})
	if got := d.listen(30); got != nil || !d.shows("busy makes no sound") {
		t.Errorf("the tones are %q, want none and a warning:\n%s", got, d.texts())
	}
	if u := d.app.model.State.Shared.Until; u == nil || *u == 0 {
		t.Error("the trace does not play")
	}
}

// TestMixOfAPlay: the sound of a real program is neither silent nor clipped.
func TestMixOfAPlay(t *testing.T) {
	d := opened(t, "pascal", 1000, 700)
	d.step(Event{Kind: ui.Key, Key: "M"})
	d.step(Event{Kind: ui.Key, Key: " "})
	r := record(d)
	for d.app.player.On {
		d.in.Now += 23 * time.Millisecond // with the 10 of a step, about as a window does
		r.step(d)
	}
	cut, sum, n := 0, 0.0, 0
	err := sound.Mix(sound.Score{Tones: r.score.Tones}, func(piece []float32) error {
		for _, x := range piece {
			if x == 1 || x == -1 {
				cut++
			}
			sum += float64(x) * float64(x)
			n++
		}
		return nil
	})
	if rms := math.Sqrt(sum / float64(n)); err != nil || cut > 0 || rms < 0.02 || rms > 0.4 {
		t.Errorf("the mix of %d tones has rms %v and %d clipped samples, %v", len(r.score.Tones), rms, cut, err)
	}
}
