package sim

import "strconv"

// number is n in decimal, padded with zeros to a width.
func number(n uint64, width int) string {
	s := strconv.FormatUint(n, 10)
	for len(s) < width {
		s = "0" + s
	}
	return s
}

// The identifiers spell out where a thing belongs: inv_<customer>_<subscription>_<cycle>.
func caseID(stem string, cycle int) string    { return "inv_" + stem + "_" + number(uint64(cycle), 2) }
func attemptID(caseID string, no int) string  { return "pay" + caseID[3:] + "_" + strconv.Itoa(no) }
func decisionID(caseID string, no int) string { return "dec" + caseID[3:] + "_" + strconv.Itoa(no) }
func eventID(subject, word string) string     { return subject + "_" + word }
