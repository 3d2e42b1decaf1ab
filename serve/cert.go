package serve

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"time"
)

// OwnCert makes a certificate for some names and addresses, which no authority vouches for. Clients compare its fingerprint. It is valid from an hour
// ago, as clocks differ, and for some time.
func OwnCert(hosts []string, valid time.Duration) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	t := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Whorl"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(valid + time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else {
			t.DNSNames = append(t.DNSNames, h)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// LoadCert reads a certificate and its key from files in PEM.
func LoadCert(cert, key string) (*tls.Certificate, error) {
	c, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("--cert %s, --key %s: %w", cert, key, err)
	}
	return &c, nil
}

// Fingerprint returns the SHA-256 of a certificate, in hexadecimal.
func Fingerprint(c *tls.Certificate) string {
	return fmt.Sprintf("%x", sha256.Sum256(c.Certificate[0]))
}

// Names returns the names under which clients reach a listener: those given, or else its addresses and the name of this machine.
func Names(l net.Listener, given []string) []string {
	if len(given) > 0 {
		return given
	}
	if names := namesOf(l); len(names) > 0 {
		return names
	}
	return []string{"127.0.0.1", "::1", "localhost"}
}
