//go:build !js

package screen

import (
	"cmp"
	"os"
	"os/signal"
	"syscall"

	"whorl/experiment/session"
	"whorl/visual/share"
	"whorl/visual/share/client"
)

// Open returns what to open first: the files with some paths, the session that a link names unless it is "", and with piped the connection of standard
// input and output. wake asks for a step of the viewer.
func Open(args []string, piped bool, link string, wake chan<- struct{}) (o Opened, err error) {
	o.Files = Files(args)
	if piped {
		signal.Ignore(syscall.SIGPIPE) // a run that is killed must not end the window that shows it
		o.Run = session.Pipes(os.Stdin, os.Stdout)
	}
	if link != "" {
		at, err := share.ParseAddress(link)
		if err != nil {
			return o, err
		}
		o.Session = client.New(at, wake, nil).Access(share.NameOf(cmp.Or(os.Getenv("USER"), os.Getenv("USERNAME"))))
		o.Session.Device = client.Device(at)
		client.Keep(at, o.Session)
	}
	return o, nil
}
