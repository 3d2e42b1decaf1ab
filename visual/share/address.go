package share

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"whorl/internal/nearest"
)

// An Address says where a session is, and proves the right to join it.
type Address struct {
	URL    string // of the page, which ends in a slash: https://lab.example:7070/
	Token  string
	SHA256 []byte // of the certificate of the server, nil if an authority vouches for it
}

// ParseAddress reads a link of a session as whorl serve --share prints it: https://HOST:PORT/#token=...&sha256=... The fragment does not travel to the
// server as part of an address, so that it appears in no log.
func ParseAddress(link string) (a Address, err error) {
	u, err := url.Parse(strings.TrimSpace(link))
	switch {
	case err != nil:
		return a, fmt.Errorf("the link %s: expected https://HOST:PORT/#token=TOKEN", nearest.Quote(link))
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "":
		return a, fmt.Errorf("the link %s: expected https://HOST:PORT/#token=TOKEN", nearest.Quote(link))
	}
	parts, err := url.ParseQuery(u.Fragment)
	if err != nil || parts.Get("token") == "" {
		return a, errors.New("the link has no token: expected https://HOST:PORT/#token=TOKEN with all that follows the sign #")
	}
	a.Token = parts.Get("token")
	if sum := parts.Get("sha256"); sum != "" {
		a.SHA256, err = hex.DecodeString(strings.ReplaceAll(sum, ":", ""))
		if err != nil || len(a.SHA256) != 32 {
			return a, fmt.Errorf("the fingerprint sha256=%s of the link: expected 64 hexadecimal digits", nearest.Quote(sum))
		}
	}
	u.Fragment = ""
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	a.URL = u.String()
	return a, nil
}
