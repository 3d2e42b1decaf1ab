//go:build !js

package main

import (
	"cmp"
	"context"
	"os"

	"whorl/serve"
	"whorl/serve/host"
	"whorl/serve/session"
	"whorl/visual/share"
	"whorl/visual/share/client"
)

// newHost returns a function that hosts a session with the traces of some files: on a port of this computer alone, or of the network.
func newHost(wake chan<- struct{}) func(traces []string, network bool) (*share.Hosting, error) {
	return func(traces []string, network bool) (*share.Hosting, error) {
		if err := serve.Built(); err != nil {
			return nil, err
		}
		addr := "127.0.0.1:0"
		if network {
			addr = ":7070"
		}
		l, err := serve.Listen(addr, true)
		if err != nil {
			return nil, err
		}
		h, err := host.New(l, traces, nil, nil, session.Options{})
		if err != nil {
			_ = l.Close()
			return nil, err
		}
		at, err := share.ParseAddress(h.Invitations[0].Link)
		if err != nil {
			h.Close()
			return nil, err
		}
		ctx, stop := context.WithCancel(context.Background())
		go func() { _ = h.Run(ctx) }() // the members see that it has ended
		out := &share.Hosting{Access: *client.New(at, wake, nil).Access(share.NameOf(cmp.Or(os.Getenv("USER"), os.Getenv("USERNAME")))), Invitations: h.Invitations, Stop: stop}
		if h.Fingerprint != "" {
			out.Note = "Browsers warn of the certificate, which was made for this session. Its SHA-256 fingerprint begins with " + h.Fingerprint[:16] + "."
		}
		return out, nil
	}
}
