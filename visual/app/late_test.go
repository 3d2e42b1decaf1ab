package app

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/visual/share"
)

// A slow file answers only when it may.
type slow struct {
	io.ReaderAt
	may chan struct{}
}

func (f slow) ReadAt(b []byte, at int64) (int, error) {
	<-f.may
	return f.ReaderAt.ReadAt(b, at)
}

// TestLateJoiner: who joins late sees the pictures of the stage before the trace has arrived, and then its own.
func TestLateJoiner(t *testing.T) {
	r := newClassroom(t, "fghc/pascal")
	var mu sync.Mutex
	left := map[int][]byte{}
	pictures := func(d *driver, trace func(id string, _ int64) io.ReaderAt) {
		role := share.Owner
		if len(r.windows) > 0 {
			role = share.Viewer
		}
		d.app.Join(share.Access{
			Dial:  func() share.Conn { return &wire{room: r, role: role} },
			Trace: trace,
			Show: func(pane int, picture []byte) error {
				mu.Lock()
				defer mu.Unlock()
				left[pane] = picture
				return nil
			},
			Shown: func(pane int) ([]byte, error) {
				mu.Lock()
				defer mu.Unlock()
				if left[pane] == nil {
					return nil, errors.New("none")
				}
				return left[pane], nil
			},
		})
		r.windows = append(r.windows, d)
	}
	file := bytes.NewReader(r.files["pascal"])
	first := drive(t, Options{}, 1000, 700, 1)
	pictures(first, func(string, int64) io.ReaderAt { return file })
	r.until("the presenter leaves pictures", func() bool {
		first.in.Now += 20 * time.Millisecond
		mu.Lock()
		defer mu.Unlock()
		return len(left) > 0 && len(left) == len(first.app.model.Visible())
	})
	late, may := drive(t, Options{}, 700, 900, 1), make(chan struct{})
	pictures(late, func(string, int64) io.ReaderAt { return slow{file, may} })
	standsIn := func() (n int) {
		for _, p := range late.app.model.Visible() {
			base, _ := late.app.painter.Layers(p)
			var b strings.Builder
			if base.List != nil {
				must.Do(t, base.List.Dump(&b))
			}
			n += strings.Count(b.String(), "As whoever presents")
		}
		return n
	}
	r.until("the late window shows the pictures of the presenter", func() bool { return standsIn() > 0 })
	close(may)
	r.until("the late window has pictures of its own", func() bool { return standsIn() == 0 && late.app.model.Docs.Get("pascal") != nil })
}
