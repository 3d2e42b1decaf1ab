package sound

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

const wavHead = 44

// WriteWAV writes a score as 16-bit samples in two channels (RIFF WAVE, Microsoft and IBM, 1991). It returns errors of w, and an error for a score
// of more than 6 hours, which the format cannot hold.
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
	head = u16(u16(head, 1), channels) // 1: PCM
	head = u32(u32(head, Rate), Rate*channels*bytes)
	head = u16(u16(head, channels*bytes), 8*bytes)
	head = u32(append(head, "data"...), uint32(size))
	_, _ = b.Write(head) // Flush returns its error
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
