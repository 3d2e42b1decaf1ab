package launch

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
)

// A Lifeline is a pipe that ends processes together with the one that started them, even if that one is killed. The
// started processes inherit the read end. Only their parent has the write end, so they read the end of the file when
// it has ended.
type Lifeline struct{ read, write *os.File }

// NewLifeline makes a lifeline. The caller closes it after the tied processes have ended; closing it ends them.
func NewLifeline() (*Lifeline, error) {
	r, w, err := os.Pipe()
	return &Lifeline{r, w}, err
}

// Tie lets a program that uses dts end when this process has ended. It is called before the program starts, and adds to
// Env, which is not nil. On Windows, where processes inherit no files, it has no effect.
func (l *Lifeline) Tie(program *exec.Cmd) {
	if runtime.GOOS == "windows" {
		return
	}
	program.ExtraFiles = append(program.ExtraFiles, l.read)
	program.Env = append(program.Env, EnvParent+"="+strconv.Itoa(2+len(program.ExtraFiles)))
}

// Close closes both ends.
func (l *Lifeline) Close() {
	l.read.Close()
	l.write.Close()
}

// A tied process watches its lifeline from its first moment, before the program calls dts.Run.
func init() {
	number, err := strconv.Atoi(Claim(EnvParent))
	if err != nil {
		return
	}
	go func() {
		if _, err := io.Copy(io.Discard, os.NewFile(uintptr(number), "lifeline")); err == nil {
			os.Exit(1)
		}
	}()
}
