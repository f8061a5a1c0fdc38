package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"recoup/api"
	"recoup/api/live"
	"recoup/data"
	"recoup/data/ledger"
)

type verifyCmd struct {
	Checkpoint []string `type:"existingfile" placeholder:"F" help:"Checkpoint kept elsewhere, to hold the ledger against beside those of D/checkpoints; may be repeated."`
	Parity     bool     `help:"Also build the feature rows of every exported decision once more, from the event log, and compare them with the bytes recorded when it was made."`
	ledgerFlags
}

// Help says what is checked, and what that is worth.
func (*verifyCmd) Help() string {
	return "Examples:\n\nrecoup verify --dir shop\n\nrecoup verify --dir shop --checkpoint elsewhere/main-120453.txt --parity\n\nrecoup verify --dir shop --ledger monday.db\n\n" +
		"Every entry's body is held against its digest, its columns and the entry before against its hash, the entries against the checkpoints, and the end against what the book says. " +
		"The first entry that is not what was written is named: edited, swapped, missing, or hashed with another secret.\n\n" +
		"keyed = nobody without the secret (D/ledger.key or RECOUP_LEDGER_KEY) can have made it. Without a secret it is tamper-evident, and no more: whoever can write to the database can make the whole chain anew. " +
		"Entries cut off at the end show against a checkpoint kept elsewhere, and against nothing else. Not covered: the lists of claims, attempt states and Idempotency-Keys, which are made of the entries.\n\n" + exitCodes
}

// verified is what verify prints.
type verified struct {
	Intact  bool             `json:"intact"`
	Ledger  string           `json:"ledger"`
	Tenants []ledger.Verdict `json:"tenants"`
	Parity  []live.Parity    `json:"parity,omitempty"`
}

func (c *verifyCmd) Run(ctx context.Context, e *env) error {
	return c.with(ctx, e, true, func(l *ledger.Ledger, v ledger.Verification) error {
		v, err := c.verification(v.Keys, c.Checkpoint...)
		if err != nil {
			return err
		}
		out := verified{Ledger: l.ID()}
		found, broken := l.Verify(ctx, v)
		if broken != nil && !errors.Is(broken, ledger.ErrBroken) {
			return broken
		}
		out.Tenants, out.Intact = append([]ledger.Verdict{}, found...), broken == nil
		if c.Parity && broken == nil {
			if out.Parity, err = c.parity(ctx, e, l, found); err != nil {
				return err
			}
		}
		if c.JSON {
			err = e.printJSON(out)
		} else {
			err = out.print(e.stdout)
		}
		return errors.Join(broken, differs(out.Parity), err)
	})
}

// parity builds the rows of every tenant's decisions once more.
func (c *verifyCmd) parity(ctx context.Context, e *env, l *ledger.Ledger, tenants []ledger.Verdict) (out []live.Parity, err error) {
	for _, t := range tenants {
		b, err := l.Book(ctx, t.Tenant, 0)
		if err != nil {
			return nil, err
		}
		p, err := live.CheckParity(ctx, t.Tenant, api.TenantDir(c.Dir, t.Tenant), b, countProgress(e, "parity"))
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// differs is the error of rows that are not those that were recorded.
func differs(all []live.Parity) error {
	var faults []error
	for i := range all {
		if p := &all[i]; p.Different > 0 {
			x := p.Examples[0]
			faults = append(faults, data.Faultf(data.ErrContract, "verify: %s: the rows of %d decisions are not those that the event log gives, the first of them %s (case %s, entry %d): %s", p.Tenant, p.Different, x.DecisionID, x.CaseID, x.Seq, x.Why))
		}
	}
	return errors.Join(faults...)
}

func (v *verified) print(w io.Writer) error {
	if len(v.Tenants) == 0 {
		fmt.Fprintln(w, "The ledger has no book yet.")
	}
	for i := range v.Tenants {
		if err := printVerdict(w, &v.Tenants[i]); err != nil {
			return err
		}
	}
	for i := range v.Parity {
		p := &v.Parity[i]
		fmt.Fprintf(w, "%s: parity: %d of %d exported decisions checked, %d rows; %d differ\n", p.Tenant, p.Checked, p.Decisions, p.Candidates, p.Different)
		for _, not := range []struct {
			n   int
			why string
		}{{p.Unasked, "were made without a model: they have no rows"}, {p.Erased, "are erased"}, {p.OtherRows, "were made by a recoup that builds other columns"}, {p.Waiting, "wait for an export"}} {
			if not.n > 0 {
				fmt.Fprintf(w, "  note: %d %s\n", not.n, not.why)
			}
		}
		for _, x := range p.Examples {
			fmt.Fprintf(w, "  decision %s (case %s, entry %d): %s\n", x.DecisionID, x.CaseID, x.Seq, x.Why)
		}
	}
	return nil
}

// printVerdict says what was found of a book.
func printVerdict(w io.Writer, v *ledger.Verdict) error {
	if !v.Intact {
		fmt.Fprintf(w, "%s: BROKEN: %s\n  %d entries before it are good\n", v.Tenant, v.Broken, v.Entries)
	} else {
		fmt.Fprintf(w, "%s: intact: %d entries", v.Tenant, v.Entries)
		if v.Erased > 0 {
			fmt.Fprintf(w, ", %d of them erased", v.Erased)
		}
		fmt.Fprintf(w, "; %s", v.Strength)
		if v.Strength == ledger.Keyed {
			fmt.Fprintf(w, " from entry %d on", v.KeyedFrom)
		}
		if v.Checkpoints > 0 {
			fmt.Fprintf(w, "; checkpoints that fit: %d", v.Checkpoints)
		}
		if v.Signed > 0 {
			fmt.Fprintf(w, ", the largest signed one on %d entries", v.Signed)
		}
		fmt.Fprintln(w)
	}
	for _, text := range v.Warnings {
		fmt.Fprintf(w, "  note: %s\n", text)
	}
	return nil
}
