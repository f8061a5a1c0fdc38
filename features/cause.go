package features

import (
	"sync"

	"recoup/data"
)

// causes is the failure cause of each reason, at hand for every event.
var causes = sync.OnceValue(func() (out [256]data.FailureClass) {
	for _, r := range data.Reasons() {
		out[r] = r.Info().Cause
	}
	return out
})

func causeOf(r data.Reason) data.FailureClass { return causes()[r] }
