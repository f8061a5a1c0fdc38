package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"recoup/api"
	"recoup/data"
)

type serveCmd struct {
	Dir          string        `placeholder:"D" help:"Folder that is served: its models, runs, policy, event log and ledger."`
	Listen       string        `default:"127.0.0.1:8080" placeholder:"A" help:"Address and port, by default 127.0.0.1:8080; port 0 takes any free one and says which."`
	Admin        string        `placeholder:"A" help:"Address and port of the admin routes, for keys with that scope; not served by default."`
	Insecure     bool          `help:"Ask nobody for a key. On loopback alone."`
	Ledger       string        `placeholder:"URL" help:"Where what is decided and told is recorded: a file, postgres://..., or none; by default D/ledger.db."`
	LedgerKey    string        `enum:",none" default:"" placeholder:"none" help:"none = the chain of the ledger is hashed without a secret. By default D/ledger.key, made at the first start; RECOUP_LEDGER_KEY in the environment wins."`
	ReadOnly     bool          `help:"Record nothing: for demonstrations."`
	Replay       bool          `help:"Take the time at which events became known from the events: for tests and tours, never in production."`
	Policy       string        `placeholder:"P" help:"Policy file of the main tenant; by default D/policy.yaml, and the one built in where there is none."`
	Bandit       string        `placeholder:"F" help:"State of a bandit (recoup bandit learn) that the main tenant's explorer draws by, in place of the policy's formula; other tenants draw by a bandit.json in their own folder, where there is one. A new state, such as the night job writes to D/bandit.json, is taken over within --poll."`
	Model        string        `default:"champion" placeholder:"M" help:"Alias to follow, or a model's id to keep to."`
	Host         []string      `placeholder:"NAME" help:"Name that callers may use in the Host header, beside IP addresses and localhost; may be repeated."`
	TrustedProxy []string      `placeholder:"CIDR" help:"Proxies whose X-Forwarded-For names the caller in the log; may be repeated."`
	InFlight     int           `default:"256" placeholder:"N" help:"Requests at once; more are told to come again."`
	Poll         time.Duration `default:"2s" help:"How often promotions, keys and secrets are looked for; SIGHUP looks at once."`
	DrainDelay   time.Duration `default:"3s" help:"After SIGTERM: how long it still listens, saying it is not ready."`
	DrainTimeout time.Duration `default:"15s" help:"And then: how long requests in flight may take."`
	OpenAPI      bool          `name:"openapi" help:"Print the OpenAPI description and end."`
	JSON         bool          `name:"json" help:"Print one JSON object when it listens."`
}

// Help is what serve --help adds.
func (*serveCmd) Help() string {
	return `Examples:

recoup keys add --dir shop --name billing --scope score,outcomes

recoup serve --dir shop

curl -s http://127.0.0.1:8080/readyz

recoup serve --openapi | jq '.paths["/v1/decide"].post.requestBody.content["application/json"].examples["first failure"].value' > case.json

curl -s http://127.0.0.1:8080/v1/decide -H "Authorization: Bearer $RECOUP_KEY" -H 'Content-Type: application/json' -d @case.json

To try it without keys: recoup serve --dir shop --insecure. Pages in a browser ask for a password: that is a key, with any name.

Every tenant has a folder of its own, D/tenants/T (the tenant main has D itself), with its events, models, policy.yaml and webhook.secrets (of its Razorpay webhooks: one a line, the newest first). All share the ledger.

A promotion (recoup models promote, or the night job) takes over within --poll without a dropped request; a model that cannot be verified does not, and the old one stays. Without a model the rules arm answers.

SIGTERM or Ctrl-C drains: /readyz says no, requests in flight are answered, exit code 0. A second one ends it now. Logs are JSON lines on standard error: one a request, never a body, header or query.`
}

func (c *serveCmd) Run(ctx context.Context, e *env) (err error) {
	if c.OpenAPI {
		spec, err := api.Describe()
		if err != nil {
			return err
		}
		_, err = e.stdout.Write(spec)
		return err
	}
	debug.SetGCPercent(400) // the heap is small and each request leaves half a megabyte: collect less often, for some 50 MiB
	cfg, err := c.config()
	if err != nil {
		return err
	}
	parts, shut, err := c.parts(ctx, e)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shut()) }()
	server, err := api.New(ctx, cfg, parts)
	if err != nil {
		return err
	}
	l, admin, err := listeners(cfg)
	if err != nil {
		return err
	}
	if err := c.started(e, l, admin, server, parts); err != nil {
		return errors.Join(err, l.Close())
	}
	return server.Run(ctx, l, admin)
}

// config is what the flags say about listening.
func (c *serveCmd) config() (api.Config, error) {
	cfg := api.Default()
	cfg.Listen, cfg.Admin, cfg.Insecure, cfg.Hosts, cfg.Proxies, cfg.InFlight = c.Listen, c.Admin, c.Insecure, c.Host, c.TrustedProxy, c.InFlight
	cfg.Poll, cfg.DrainDelay, cfg.DrainTimeout = c.Poll, c.DrainDelay, c.DrainTimeout
	return cfg, cfg.Check()
}

// listeners takes the addresses; admin is nil where it is not wanted.
func listeners(cfg api.Config) (l, admin net.Listener, err error) {
	if l, err = net.Listen("tcp", cfg.Listen); err != nil {
		return nil, nil, data.Faultf(data.ErrUsage, "serve: %w: choose another with --listen; port 0 takes any free one", err)
	}
	if cfg.Admin == "" {
		return l, nil, nil
	}
	if admin, err = net.Listen("tcp", cfg.Admin); err != nil {
		return nil, nil, errors.Join(data.Faultf(data.ErrUsage, "serve: %w: choose another with --admin; port 0 takes any free one", err), l.Close())
	}
	return l, admin, nil
}

// started says where it listens and what to do next.
func (c *serveCmd) started(e *env, l, admin net.Listener, s *api.Server, parts api.Parts) error {
	url, adminURL := "http://"+l.Addr().String(), ""
	if admin != nil {
		adminURL = "http://" + admin.Addr().String()
	}
	model, policy := "", s.Engine().Policy().ID()
	if b := s.Engine().Model(); b != nil {
		model = string(b.ID)
	}
	if c.JSON {
		return e.printJSON(map[string]any{"url": url, "admin_url": adminURL, "pid": os.Getpid(), "model_id": model, "policy_id": policy, "ledger": parts.Ledger != nil, "tenants": len(parts.Tenants)})
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
	key := ` -H "Authorization: Bearer $RECOUP_KEY"`
	if parts.Keys == nil {
		key = ""
	}
	var t strings.Builder
	fmt.Fprintf(&t, "Listening on %s\n%s; policy %s\n%s\n", url, who, policy, c.recorded(parts))
	if admin != nil {
		fmt.Fprintf(&t, "admin routes on %s\n", adminURL)
	}
	fmt.Fprintf(&t, "\nNext: open %s in a browser, or\n\n  curl -s %s/v1/decide%s -H 'Content-Type: application/json' -d '%s'\n\n", url, url, key, example)
	fmt.Fprintf(&t, "%s/openapi.json describes it. Ctrl-C ends it.\n", url)
	_, err = e.stdout.Write([]byte(t.String()))
	return err
}

// recorded says what becomes of what is decided and told.
func (c *serveCmd) recorded(parts api.Parts) string {
	say := "ledger: " + c.ledgerName()
	switch {
	case parts.Ledger == nil:
		say = "no ledger: nothing is recorded"
	case c.ReadOnly:
		say += ", for reading only: nothing is recorded"
	}
	if c.Replay {
		say += "; REPLAY: the clock is that of the events"
	}
	if c.Insecure {
		say += "; INSECURE: nobody is asked for a key"
	}
	return fmt.Sprintf("%s; %d tenant(s)", say, len(parts.Tenants))
}
