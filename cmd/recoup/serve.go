package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"recoup/api"
	"recoup/data"
	"recoup/models"
	"recoup/score"
)

type serveCmd struct {
	Dir          string        `placeholder:"D" help:"Folder whose models (D/models), runs (D/runs) and policy (D/policy.yaml) are served."`
	Listen       string        `default:"127.0.0.1:8080" placeholder:"A" help:"Address and port, by default 127.0.0.1:8080; port 0 takes any free one and says which."`
	Policy       string        `placeholder:"P" help:"Policy file; by default D/policy.yaml, and the one built in where there is none."`
	Model        string        `default:"champion" placeholder:"M" help:"Alias to follow, or a model's id to keep to."`
	Insecure     bool          `help:"Listen beyond loopback although callers are not authenticated."`
	Host         []string      `placeholder:"NAME" help:"Name that callers may use in the Host header, beside IP addresses and localhost; may be repeated."`
	TrustedProxy []string      `placeholder:"CIDR" help:"Proxies whose X-Forwarded-For names the caller in the log; may be repeated."`
	InFlight     int           `default:"256" placeholder:"N" help:"Requests at once; more are told to come again."`
	Poll         time.Duration `default:"2s" help:"How often the registry is looked at for a promotion; SIGHUP looks at once."`
	DrainDelay   time.Duration `default:"3s" help:"After SIGTERM: how long it still listens, saying it is not ready."`
	DrainTimeout time.Duration `default:"15s" help:"And then: how long requests in flight may take."`
	OpenAPI      bool          `name:"openapi" help:"Print the OpenAPI description and end."`
	JSON         bool          `name:"json" help:"Print one JSON object when it listens."`
}

// Help is what serve --help adds.
func (*serveCmd) Help() string {
	return `Examples:

recoup serve --dir demo/log

curl -s http://127.0.0.1:8080/readyz

recoup serve --openapi | jq '.paths["/v1/decide"].post.requestBody.content["application/json"].examples["first failure"].value' > case.json

curl -s http://127.0.0.1:8080/v1/decide -H 'Content-Type: application/json' -d @case.json

A promotion (recoup models promote, or the night job) takes over within --poll without a dropped request; a model that cannot be verified does not, and the old one stays. Without a model the rules arm answers.

SIGTERM or Ctrl-C drains: /readyz says no, requests in flight are answered, exit code 0. A second one ends it now. Logs are JSON lines on standard error: one a request, never a body, header or query.`
}

func (c *serveCmd) Run(ctx context.Context, e *env) error {
	if c.OpenAPI {
		spec, err := api.Describe()
		if err != nil {
			return err
		}
		_, err = e.stdout.Write(spec)
		return err
	}
	debug.SetGCPercent(400) // the heap is small and each request leaves half a megabyte: collect less often, for some 50 MiB
	server, cfg, err := c.server(e)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return data.Faultf(data.ErrUsage, "serve: %w: choose another with --listen; port 0 takes any free one", err)
	}
	if err := c.started(e, "http://"+l.Addr().String(), server); err != nil {
		return errors.Join(err, l.Close())
	}
	return server.Run(ctx, l)
}

// server makes the server out of the flags and the folder.
func (c *serveCmd) server(e *env) (*api.Server, api.Config, error) {
	cfg := api.Default()
	cfg.Listen, cfg.Insecure, cfg.Hosts, cfg.Proxies, cfg.InFlight = c.Listen, c.Insecure, c.Host, c.TrustedProxy, c.InFlight
	cfg.Poll, cfg.DrainDelay, cfg.DrainTimeout = c.Poll, c.DrainDelay, c.DrainTimeout
	if err := cfg.Check(); err != nil {
		return nil, cfg, err
	}
	if c.Dir == "" {
		return nil, cfg, data.Faultf(data.ErrUsage, "serve: --dir D is missing: the folder that the night job works in; a new empty one will do to try")
	}
	if _, err := os.Stat(c.Dir); err != nil {
		return nil, cfg, fmt.Errorf("serve: %w", err)
	}
	policy, err := c.policy()
	if err != nil {
		return nil, cfg, err
	}
	registry, err := models.OpenRegistry(filepath.Join(c.Dir, "models"))
	if err != nil {
		return nil, cfg, err
	}
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	s, err := api.New(cfg, api.Parts{Policy: policy, Registry: registry, Model: c.Model, Runs: filepath.Join(c.Dir, "runs"), Reload: reload, Now: e.now, NewID: rand.Text,
		Log: slog.New(slog.NewJSONHandler(e.stderr, nil))})
	return s, cfg, err
}

// policy is the one to serve. The service writes nothing down yet, and what is
// drawn must be written before it is answered: it does not explore.
func (c *serveCmd) policy() (*score.Policy, error) {
	p, err := score.FindPolicy(c.Policy, c.Dir)
	if err == nil && p.Divides() {
		err = data.Faultf(data.ErrUsage, "serve: the policy divides the cases over several arms, and this service keeps no record of what it draws: "+
			"give all of them to the model (choice: arms: {model: 1}); recoup score decides by arms in batch")
	}
	return p, err
}

// started says where it listens and what to do next.
func (c *serveCmd) started(e *env, url string, s *api.Server) error {
	model, policy := "", s.Engine().Policy().ID()
	if b := s.Engine().Model(); b != nil {
		model = string(b.ID)
	}
	if c.JSON {
		return e.printJSON(map[string]any{"url": url, "pid": os.Getpid(), "model_id": model, "policy_id": policy})
	}
	example, err := json.Marshal(api.Example())
	if err != nil {
		return err
	}
	who := "model " + model
	if refused := s.Refused(); refused != "" {
		who = "the model is refused, the rules arm answers and /readyz says no: " + refused
	} else if model == "" {
		who = "no model yet, the rules arm answers (recoup nightly makes one)"
	}
	var t strings.Builder
	fmt.Fprintf(&t, "Listening on %s\n%s; policy %s\n\n", url, who, policy)
	fmt.Fprintf(&t, "Next: open %s in a browser, or\n\n  curl -s %s/v1/decide -H 'Content-Type: application/json' -d '%s'\n\n", url, url, example)
	fmt.Fprintf(&t, "%s/openapi.json describes it. Ctrl-C ends it.\n", url)
	_, err = e.stdout.Write([]byte(t.String()))
	return err
}
