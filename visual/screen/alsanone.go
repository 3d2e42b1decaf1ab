//go:build window && sound && !linux && !js

package screen

func hushDriver() {}
