package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"recoup/data"
	"recoup/data/ledger"
)

// Keeping is what the admin routes do with a tenant's book; a nil func = it is not
// served.
type Keeping struct {
	Checkpoint func(ctx context.Context, tenant string) (ledger.Head, error)
	Export     func(ctx context.Context, tenant string, upTo data.Micros) (ledger.Exported, error)
	// Verification is what the pages hold a chain against; nil = nothing but itself.
	Verification func() (ledger.Verification, error)
}

// Checkpointed is the answer of /admin/checkpoint.
type Checkpointed struct {
	RequestID string `json:"request_id"`
	Size      int64  `json:"size" minimum:"0" doc:"Entries that it covers"`
	Root      string `json:"root" doc:"Of the Merkle tree over them, in base64"`
	Note      string `json:"note" doc:"The signed note: keep a copy where whoever can write to the ledger cannot"`
}

// BookExported is the answer of /admin/export.
type BookExported struct {
	RequestID string `json:"request_id"`
	From      int64  `json:"from_seq" doc:"The first entry looked at"`
	To        int64  `json:"to_seq" doc:"The last one; below from_seq where nothing was new"`
	Rows      int64  `json:"rows" minimum:"0" doc:"Added to the event log"`
	Known     int64  `json:"known" minimum:"0" doc:"That the event log had"`
}

type exportInput struct {
	Body struct {
		UpTo string `json:"up_to" format:"date-time" doc:"Entries known after it wait. There is no default."`
	}
}

type emptyInput struct{ Body struct{} }

func (s *Server) routeKeeping(api huma.API) {
	codes := append(adminCodes(), NoLedger, LedgerAway)
	sealing := checked(operation(http.MethodPost, "/admin/checkpoint", "admin-checkpoint", "Verify the chain and sign a checkpoint on it", "The body is {}. A chain that is broken is never signed.", codes...))
	huma.Register(api, sealing, func(ctx context.Context, _ *emptyInput) (*struct{ Body Checkpointed }, error) {
		t := tenantOf(ctx)
		if err := s.keeps(t, s.parts.Keeping.Checkpoint != nil); err != nil {
			return nil, err
		}
		h, err := s.parts.Keeping.Checkpoint(ctx, t.name)
		if err != nil {
			return nil, impossible(err)
		}
		return &struct{ Body Checkpointed }{Checkpointed{requestID(ctx), h.Size, h.Root.String(), h.Note}}, nil
	})
	export := checked(operation(http.MethodPost, "/admin/export", "admin-export", "Export the book to the tenant's event log",
		"As the night job and recoup ledger export do. What was exported already is passed over.", codes...))
	huma.Register(api, export, func(ctx context.Context, in *exportInput) (*struct{ Body BookExported }, error) {
		t := tenantOf(ctx)
		if err := s.keeps(t, s.parts.Keeping.Export != nil); err != nil {
			return nil, err
		}
		upTo, err := time.Parse(time.RFC3339Nano, in.Body.UpTo)
		if err != nil {
			return nil, faulty(Invalid, []data.Fault{{Path: "body.up_to", Message: err.Error()}})
		}
		x, err := s.parts.Keeping.Export(ctx, t.name, data.MicrosOf(upTo))
		if err != nil {
			return nil, impossible(err)
		}
		known := x.Duplicates.EventID + x.Duplicates.Attempt
		return &struct{ Body BookExported }{BookExported{requestID(ctx), x.From, x.To, x.Rows, known}}, nil
	})
}

// keeps says why a book cannot be kept; nil = it can.
func (s *Server) keeps(t *tenant, served bool) error {
	if _, refusal := s.recorder(t); refusal != nil {
		return refusal
	}
	if !served {
		return problem(NoLedger, "")
	}
	return nil
}

// impossible is the problem of what an admin asked and cannot be done as things are;
// another error stays what it is.
func impossible(err error) error {
	for _, kind := range []error{data.ErrUsage, data.ErrContract, data.ErrUnsafe, data.ErrLocked, data.ErrTooLittle, ledger.ErrBroken} {
		if errors.Is(err, kind) {
			return problem(Impossible, err.Error())
		}
	}
	return ledgerFault(err)
}
