//go:build !js

package bodies

import (
	"encoding/binary"
	"math"
	"slices"

	"whorl/visual/sound"
	"whorl/visual/space"
)

// mostVoices is the largest number of overlapping sounds of one measure in a world.
const mostVoices = 4

// worldVoices returns the moments up to the given moves as voices of a world, and the number of moments. Each voice has
// sounds of one measure, from any bodies, that do not overlap.
func (g *Geometry) worldVoices(length float64, last, size int) (all []space.Voice, total int) {
	span := float64(g.timeOf(last))
	if span <= 0 {
		return nil, 0
	}
	byMeasure := map[string][]int{} // indices of voices
	for i := range g.noises {
		n := &g.noises[i]
		from := float64(g.timeOf((n.Index+1)*g.moves)) / span
		if from > 1 {
			break
		}
		total++
		lowest := sound.Degree(lowestTone, voices[n.measure].step)
		// A sound at the very end begins a tenth of a second earlier, so that a frame falls into it.
		s := space.Sound{From: min(from, 1-min(0.1/length, 1)), Body: int(n.body) / size, Pitch: n.pitch() / lowest}
		s.To = min(s.From+toneLength.Seconds()/(s.Pitch*length), 1)
		mine := byMeasure[n.measure]
		k := slices.IndexFunc(mine, func(k int) bool {
			sounds := all[k].Sounds
			return sounds[len(sounds)-1].To < s.From
		})
		switch {
		case k >= 0:
			k = mine[k]
		case len(mine) < mostVoices:
			k = len(all)
			byMeasure[n.measure] = append(mine, k)
			all = append(all, space.Voice{Clip: clip(voices[n.measure].timbre, lowest)})
		default:
			continue
		}
		all[k].Sounds = append(all[k].Sounds, s)
	}
	return all, total
}

// clip returns a tone as a small WAV file (RIFF WAVE, Microsoft and IBM, 1991): one channel of 8-bit samples at a
// sixth of the rate of the mixer, normalised to full volume.
func clip(timbre sound.Timbre, pitch float64) []byte {
	const every = 6
	frames := int(toneLength.Seconds() * sound.Rate)
	mixed := make([]float32, 2*frames)
	var m sound.Mixer
	m.Add(sound.Tone{Length: toneLength, Pitch: pitch, Volume: 1, Timbre: timbre})
	m.Mix(mixed)
	samples := make([]float64, frames/every)
	loudest := 1e-9
	for i := range samples {
		for k := range every { // the mean damps pitches above the lower rate
			samples[i] += float64(mixed[2*(i*every+k)]) / every
		}
		loudest = max(loudest, math.Abs(samples[i]))
	}
	u16, u32 := binary.LittleEndian.AppendUint16, binary.LittleEndian.AppendUint32
	const rate = sound.Rate / every
	b := u32([]byte("RIFF"), uint32(36+len(samples)))
	b = u32(append(b, "WAVEfmt "...), 16)
	b = u16(u16(b, 1), 1) // PCM, one channel
	b = u32(u32(b, rate), rate)
	b = u16(u16(b, 1), 8)
	b = u32(append(b, "data"...), uint32(len(samples)))
	for _, x := range samples {
		b = append(b, byte(math.Round(128+127*x/loudest)))
	}
	return b
}
