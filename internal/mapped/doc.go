// Package mapped maps files into memory where the system can.
package mapped
