package screen

// An Offer is what a server has for a page to open: the file whorl.json beside it.
type Offer struct {
	Traces []Offered `json:"traces"`
}

// Offered is one file, with its address.
type Offered struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}
