// Picture draws the reliability curve of a report as an SVG file, for the README.
//
//	go run ./cmd/picture report.json reliability.svg
package main

import (
	"fmt"
	"io"
	"os"

	"recoup/api/report"
	"recoup/data"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: picture report.json reliability.svg")
	}
	js, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	svg, err := report.ReliabilitySVG(js)
	if err != nil {
		return err
	}
	return data.WriteFile(args[1], func(w io.Writer) error {
		_, err := w.Write(svg)
		return err
	})
}
