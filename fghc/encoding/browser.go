//go:build js

package encoding

// In the browser texts come from an editor, and the tables of EUC-JP would only make the page larger.

func fromEUC(string) (string, bool) { return "", false }

func toEUC(string) (string, bool) { return "", false }
