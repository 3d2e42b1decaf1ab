package run

import (
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/serve"
	"whorl/serve/host"
	"whorl/serve/session"
	"whorl/visual/share"
)

// sharing is how a session is shared.
type sharing struct {
	on        bool
	hosts     []string
	cert, key string
	session   session.Options
}

// flags adds the flags of sharing to serve.
func (s *sharing) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&s.on, "share", false, "share a session: everybody with a link looks at the same")
	f.StringArrayVar(&s.hosts, "host", nil, "`name` or address of this machine in links, beside the address of --addr")
	f.StringVar(&s.cert, "cert", "", "`file` with the certificate of the server (PEM); without it one is made for an address other than loopback")
	f.StringVar(&s.key, "key", "", "`file` with the key of the certificate (PEM)")
	f.DurationVar(&s.session.Expires, "expires", 4*time.Hour, "`time` for which people can join with the links")
	f.IntVar(&s.session.Members, "members", 250, "most `people` at a time")
	f.Var(&command.Memory{Bytes: &s.session.Upload}, "upload", "largest file that presenters may add, an `amount`: 100M, 1G (default 256M)")
}

// shareTraces hosts a shared session with some traces until the user interrupts it.
func shareTraces(cmd *cobra.Command, paths []string, addr string, o *sharing) error {
	if (o.cert == "") != (o.key == "") {
		return errors.New("--cert and --key belong together: a certificate and its key")
	}
	if err := serve.Built(); err != nil {
		return command.Exit(command.ExitFailed, err)
	}
	l, err := serve.Listen(addr, !cmd.Flags().Changed("addr"))
	if err != nil {
		return err
	}
	defer l.Close()
	cert, err := o.certificate()
	if err != nil {
		return err
	}
	h, err := host.New(l, paths, o.hosts, cert, o.session)
	if err != nil {
		return err
	}
	defer h.Close()
	o.invite(cmd, h)
	return h.Run(cmd.Context())
}

// certificate returns the certificate that the user has given, nil for none.
func (o *sharing) certificate() (*tls.Certificate, error) {
	if o.cert == "" {
		return nil, nil
	}
	return serve.LoadCert(o.cert, o.key)
}

// invite prints the links of the session, once.
func (o *sharing) invite(cmd *cobra.Command, h *host.Host) {
	for _, in := range h.Invitations {
		fmt.Fprintf(cmd.OutOrStdout(), "%-9s  %s\n", in.Role, in.Link)
	}
	say := func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), "whorl: "+format+"\n", args...) }
	say("people join with these links until %s; whoever has a link can use it, so give out that of the viewers", h.Until.Format("15:04 on 2 January"))
	if h.Note != "" {
		say("%s", h.Note)
	}
	if h.Fingerprint != "" {
		say("browsers warn of the certificate, which was made now; its SHA-256 fingerprint is %s", colons(h.Fingerprint))
	}
	say("Ctrl-C ends the session")
}

// colons returns a fingerprint as browsers show it.
func colons(hexadecimal string) string {
	var b []byte
	for i := 0; i+2 <= len(hexadecimal); i += 2 {
		if i > 0 {
			b = append(b, ':')
		}
		b = append(b, hexadecimal[i:i+2]...)
	}
	return string(b)
}

// joinSession opens a window that joins a session.
func joinSession(cmd *cobra.Command, link string) error {
	if _, err := share.ParseAddress(link); err != nil {
		return err
	}
	err := openWindow(cmd, []string{"--join", link})
	if errors.Is(err, errNoWindow) {
		return command.Exit(command.ExitFailed, fmt.Errorf("%w; open the link in a browser", err))
	}
	return err
}

// serveScopes lists the uses of serve where its flags have an effect.
var serveScopes = []command.Scope[*sharing]{
	{Flags: []string{"addr", "share", "host", "processor", "merge", "binary", "source", "program"}},
	{Flags: []string{"cert", "key", "expires", "members", "upload"}, In: func(o *sharing) bool { return o.on }, Only: "is for shared sessions: --share"},
}

// viewScopes lists the uses of view where its flags have an effect: a window of its own or that of a member.
var viewScopes = []command.Scope[bool]{
	{Flags: []string{"join"}},
	{Flags: []string{"processor", "merge", "binary", "source", "program"}, In: func(joins bool) bool { return !joins }, Only: "is for traces of your own: a session has its traces"},
}
