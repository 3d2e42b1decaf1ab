package nodes

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"sync"
)

// A main program that is killed is started again, from its beginning. It reads the same input, and what it prints a
// second time is compared with what the earlier attempts printed, and dropped.

// mostAttempts bounds the attempts, for a program that is killed each time, as by a system without memory.
const mostAttempts = 10

// killed reports whether a process was killed by another one, by the system, or with its host.
func killed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && exit.ProcessState.ExitCode() < 0 && exit.ProcessState.String() == "signal: killed"
}

// A transcript passes on the output of the attempts of a program, each byte once.
type transcript struct {
	out     io.Writer
	printed hash.Hash // digest of the output that was passed on
	size    int64     // its number of bytes

	repeated hash.Hash // digest of the text that this attempt has printed again
	left     int64     // bytes that it has to print again
	differs  bool
}

func newTranscript(out io.Writer) *transcript {
	return &transcript{out: out, printed: sha256.New(), repeated: sha256.New()}
}

// restart begins another attempt.
func (t *transcript) restart() {
	t.repeated.Reset()
	t.left = t.size
}

// Write passes on the output beyond that of the earlier attempts. It fails if the output differs from theirs.
func (t *transcript) Write(p []byte) (int, error) {
	again := p[:min(int64(len(p)), t.left)]
	t.repeated.Write(again)
	t.left -= int64(len(again))
	if t.left == 0 && len(again) > 0 && string(t.repeated.Sum(nil)) != string(t.printed.Sum(nil)) {
		t.differs = true
	}
	if t.differs {
		return 0, errors.New("the output differs")
	}
	fresh := p[len(again):]
	if len(fresh) == 0 {
		return len(p), nil
	}
	n, err := t.out.Write(fresh)
	t.printed.Write(fresh[:n])
	t.size += int64(n)
	return len(again) + n, err
}

// check returns an error if the last attempt has not printed what the earlier ones had.
func (t *transcript) check() error {
	if t.differs || t.left > 0 {
		return fmt.Errorf("the program was killed after it had printed %d bytes and did not print the same when it ran again; its output depends on more than its input, and the output above is incomplete", t.size)
	}
	return nil
}

// mostInput is the size of the input that is kept for further attempts.
const mostInput = 64 << 20

// A tape reads the input of a program and plays it to each attempt from the beginning. One read is under way at a time,
// and lasts beyond its attempt if there is no input: the next attempt uses what it reads.
type tape struct {
	in io.Reader

	mu      sync.Mutex
	data    []byte        // read so far, up to the read that exceeds mostInput bytes
	dropped bool          // data exceeds mostInput bytes and does not grow: there can be no further attempt
	err     error         // the end of the input
	reading chan struct{} // closed when the read under way is complete; nil if there is none
}

// next returns the input from offset on, as far as it is there, and waits for it if there is none.
func (t *tape) next(offset int) (data []byte, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for offset >= len(t.data) && t.err == nil {
		if read := t.reading; read != nil {
			t.mu.Unlock()
			<-read
			t.mu.Lock()
			continue
		}
		if beyond := t.read(); beyond != nil {
			return beyond, nil
		}
	}
	if offset < len(t.data) {
		return t.data[offset:], nil
	}
	return nil, t.err
}

// read reads more of the input. It returns what data does not hold, nil if data holds it. t.mu is held, except during the
// read.
func (t *tape) read() (beyond []byte) {
	read := make(chan struct{})
	t.reading = read
	t.mu.Unlock()
	b := make([]byte, 1<<15)
	n, err := t.in.Read(b)
	t.mu.Lock()
	t.reading, t.err = nil, err
	close(read)
	if t.dropped {
		return b[:n]
	}
	t.data = append(t.data, b[:n]...)
	t.dropped = len(t.data) > mostInput
	return nil
}

// play starts to write the input to a new pipe and returns its end for reading.
func (t *tape) play() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func() {
		defer w.Close()
		for offset := 0; ; {
			data, err := t.next(offset)
			if err != nil {
				return
			}
			if _, err := w.Write(data); err != nil { // the attempt has ended
				return
			}
			offset += len(data)
		}
	}()
	return r, nil
}

// An input gives each attempt of a program the same standard input: a terminal, or another device, goes on; a file is
// read again from the same offset; anything else is kept on a tape.
type input struct {
	file   *os.File // nil if there is a tape
	offset int64    // where the file began, -1 for a device
	tape   tape
}

func newInput(in io.Reader) *input {
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &input{file: f, offset: -1}
		} else if err == nil && info.Mode().IsRegular() {
			if offset, err := f.Seek(0, io.SeekCurrent); err == nil {
				return &input{file: f, offset: offset}
			}
		}
	}
	return &input{tape: tape{in: in}}
}

// open returns the input of an attempt and the function to call at its end.
func (i *input) open() (*os.File, func(), error) {
	if i.file == nil {
		r, err := i.tape.play()
		return r, func() { r.Close() }, err
	}
	if i.offset >= 0 {
		if _, err := i.file.Seek(i.offset, io.SeekStart); err != nil {
			return nil, nil, err
		}
	}
	return i.file, func() {}, nil
}

// again reports whether another attempt would have the same input.
func (i *input) again() bool {
	i.tape.mu.Lock()
	defer i.tape.mu.Unlock()
	return !i.tape.dropped
}
