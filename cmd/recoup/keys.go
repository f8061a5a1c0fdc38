package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"recoup/api"
)

type keysCmd struct {
	Add    keysAddCmd    `cmd:"" help:"Make a key and print it, once."`
	List   keysListCmd   `cmd:"" help:"List the keys: names, tenants and scopes."`
	Revoke keysRevokeCmd `cmd:"" help:"Take a key away: it does not work from the server's next look on."`
}

// Help ends the help text with commands to try.
func (*keysCmd) Help() string {
	return "Examples:\n\nrecoup keys add --dir shop --name billing --scope score,outcomes\n\nrecoup keys add --dir shop --name second-shop --tenant second --scope score,outcomes\n\n" +
		"recoup keys list --dir shop\n\nrecoup keys revoke billing --dir shop\n\n" +
		"A caller sends its key as Authorization: Bearer KEY. Scopes: score = ask (scores, decisions, lists); outcomes = tell (events, outcomes, promises, results); " +
		"admin = metrics and the admin routes. D/keys.json keeps the hashes of the keys, never the keys. A running server notices within its --poll."
}

// keyFlags are common to the verbs of keys.
type keyFlags struct {
	Dir  string `required:"" placeholder:"D" help:"Folder that is served."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

func (f keyFlags) path() (string, error) {
	if _, err := os.Stat(f.Dir); err != nil {
		return "", fmt.Errorf("keys: %w", err)
	}
	return filepath.Join(f.Dir, api.KeyFile), nil
}

type keysAddCmd struct {
	Name   string   `required:"" placeholder:"N" help:"Names the key in lists and in the log: a-z 0-9 -."`
	Tenant string   `default:"main" placeholder:"T" help:"Whose data it sees; a new one gets the folder D/tenants/T."`
	Scope  []string `required:"" placeholder:"S" help:"score, outcomes, admin; several with commas."`
	keyFlags
}

func (c *keysAddCmd) Run(_ context.Context, e *env) error {
	path, err := c.path()
	if err != nil {
		return err
	}
	secret := make([]byte, 32)
	rand.Read(secret)
	text, err := api.NewKey(path, api.Key{Name: c.Name, Tenant: c.Tenant, Scopes: c.Scope, MadeAt: e.now().UTC().Format(time.RFC3339)}, hex.EncodeToString(secret))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(api.TenantDir(c.Dir, c.Tenant), 0o755); err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	if c.JSON {
		return e.printJSON(map[string]any{"name": c.Name, "tenant": c.Tenant, "scopes": c.Scope, "key": text})
	}
	_, err = fmt.Fprintf(e.stdout, "%s\n\nThis is the key %s of tenant %s; it is shown this once and kept nowhere. Next:\n\n  export RECOUP_KEY=%s\n  recoup serve --dir %s\n",
		text, c.Name, c.Tenant, text, c.Dir)
	return err
}

type keysListCmd struct{ keyFlags }

func (c *keysListCmd) Run(_ context.Context, e *env) error {
	path, err := c.path()
	if err != nil {
		return err
	}
	list := []api.Key{}
	switch keys, err := api.OpenKeys(path); {
	case err == nil:
		list = append(list, keys.List()...)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if c.JSON {
		return e.printJSON(map[string]any{"keys": list})
	}
	if len(list) == 0 {
		fmt.Fprintf(e.stdout, "no keys in %s yet: recoup keys add makes one\n", c.Dir)
		return nil
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\ttenant\tscopes\tmade")
	for _, k := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", k.Name, k.Tenant, strings.Join(k.Scopes, ","), k.MadeAt)
	}
	return w.Flush()
}

type keysRevokeCmd struct {
	Name string `arg:"" placeholder:"N" help:"The key's name."`
	keyFlags
}

func (c *keysRevokeCmd) Run(_ context.Context, e *env) error {
	path, err := c.path()
	if err != nil {
		return err
	}
	if err := api.RevokeKey(path, c.Name); err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(map[string]any{"revoked": c.Name})
	}
	_, err = fmt.Fprintf(e.stdout, "%s is revoked; a running server takes it away within its --poll\n", c.Name)
	return err
}
