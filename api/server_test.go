package api

import (
	"io"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"recoup/models"
	"recoup/score"
)

func TestScratch(t *testing.T) {
	reg, _ := models.OpenRegistry(filepath.Join(t.TempDir(), "models"))
	n := 0
	s, err := New(Default(), Parts{Policy: score.Default(), Registry: reg, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Now: time.Now, NewID: func() string { n++; return strconv.Itoa(n) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"GET /readyz", "GET /v1/models", "GET /v1/reasons?class=STOP&rail=card", "GET /v1/reasons?class=X&y=2", "GET /v1/nothing", "GET /v1/score", "POST /v1/score"} {
		method, path, _ := strings.Cut(q, " ")
		r := httptest.NewRequest(method, path, strings.NewReader("{}"))
		r.Host = "localhost"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		t.Log(q, w.Code, w.Header(), w.Body.String())
	}
	t.Log(string(s.OpenAPI()))
}
