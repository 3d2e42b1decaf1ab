package session

import (
	"context"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"whorl/serve"
	"whorl/testdata/must"
	"whorl/visual/share"
	"whorl/visual/share/client"
)

// TestFingerprint: a window joins a server whose certificate has the fingerprint of the link, and no other one.
func TestFingerprint(t *testing.T) {
	s := must.Get(New(Options{}))(t)
	l := must.Get(serve.Listen("127.0.0.1:0", false))(t)
	cert := must.Get(serve.OwnCert([]string{"127.0.0.1"}, time.Hour))(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		handler, err := serve.SessionHandler(s)
		if err == nil {
			err = (&serve.Server{Handler: handler, Cert: cert}).Run(ctx, l)
		}
		ended <- err
	}()
	print := serve.Fingerprint(cert)
	wrong := strings.Repeat("0", len(print))
	for _, c := range []struct{ end, want string }{
		{"&sha256=" + print, ""},
		{"&sha256=" + wrong, "somebody may be between you and the session"},
		{"", "certificate"}, // nobody vouches for it
	} {
		link := "https" + strings.TrimPrefix(serve.URL(l), "http") + "#token=" + s.Token(share.Viewer) + c.end
		wake := make(chan struct{}, 1)
		access := client.New(must.Get(share.ParseAddress(link))(t), wake, nil).Access("Ada")
		m := share.NewMember("Ada", access.Token)
		line := share.NewLine(m, access.Dial)
		for line.Step(0); !m.Joined() && line.Err() == nil; line.Step(0) {
			<-wake
		}
		if err := line.Err(); (c.want == "") != m.Joined() || c.want != "" && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: joined: %v, %v, want %q", c.end, m.Joined(), err, c.want)
		}
		line.Close()
	}
	must.Do(t, s.Close())
	cancel()
	must.Do(t, <-ended)
}

// TestLinks: what a link has to have.
func TestLinks(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	for link, want := range map[string]string{
		"http://localhost:7070/#token=T":                           "",
		"https://lab.example/whorl#token=T&sha256=" + sum:          "",
		"https://lab.example/#sha256=" + sum + "&token=T&x=1":      "",
		" https://lab.example/#token=T\n":                          "",
		"https://lab.example/":                                     "no token",
		"https://lab.example/?token=T":                             "expected https://",
		"https://me:secret@lab.example/#token=T":                   "expected https://",
		"ftp://lab.example/#token=T":                               "expected https://",
		"lab.example#token=T":                                      "expected https://",
		"https://lab.example/#token=T&sha256=12":                   "64 hexadecimal digits",
		"https://lab.example/#token=T&sha256=" + sum[2:] + ":ab:1": "64 hexadecimal digits",
	} {
		at, err := share.ParseAddress(link)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", link, err, want)
		}
		if err == nil && (at.Token != "T" || !strings.HasSuffix(at.URL, "/") || at.SHA256 != nil && hex.EncodeToString(at.SHA256) != sum) {
			t.Errorf("%q is %+v", link, at)
		}
	}
}
