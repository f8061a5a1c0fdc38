package models

import (
	"math"
	"reflect"
	"strings"
)

// finite makes every measure that left the range of float64 (a variance near 0
// below it, say) undefined, with a warning: no infinity is ever reported.
func (m *Metrics) finite() {
	v := reflect.ValueOf(m).Elem()
	for i := range v.NumField() {
		f, ok := v.Field(i).Interface().(*float64)
		if ok && f != nil && (math.IsInf(*f, 0) || math.IsNaN(*f)) {
			v.Field(i).SetZero()
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			m.warn("beyond the range of float64", name)
		}
	}
}
