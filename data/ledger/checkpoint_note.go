package ledger

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"recoup/data"
)

// Where a folder keeps the key that signs its checkpoints, the public one to check
// them with (one a line: older ones stay), and the checkpoints.
const (
	SignerFile    = "checkpoint.key"
	PublicFile    = "checkpoint.pub"
	CheckpointDir = "checkpoints"
)

// signerName is the name that the keys of recoup bear in a signed note.
const signerName = "recoup"

// Signer signs checkpoints with Ed25519.
type Signer struct{ note note.Signer }

// Public are the keys that checkpoints are checked with; nil = none.
type Public []note.Verifier

// Head is a statement about a book: the root of the Merkle tree (RFC 6962) over
// its first Size entries. A leaf is the record of an entry and its hash, as
// doc.go has them.
type Head struct {
	Origin string // recoup/<ledger id>/<tenant>
	Size   int64
	Root   tlog.Hash
	Signed bool   // by a key that is known
	Note   string // the signed note, as it is stored (C2SP checkpoint: origin, size, root)
}

// FindSigner finds the signing key of folder dir; where there is none one is made
// and kept, with its public key beside it. With random nil it is nil.
func FindSigner(dir string, random io.Reader) (*Signer, error) {
	path := filepath.Join(dir, SignerFile)
	text, err := os.ReadFile(path)
	if err == nil {
		s, err := note.NewSigner(strings.TrimSpace(string(text)))
		if err != nil {
			return nil, data.Faultf(data.ErrUsage, "ledger: %s: no signing key (the error of its reader is kept back, for it may tell the key): put the file back, or take it away and a new one is made", path)
		}
		return &Signer{s}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if random == nil {
		return nil, nil
	}
	secret, public, err := note.GenerateKey(random, signerName)
	if err != nil {
		return nil, fmt.Errorf("ledger: a new signing key: %w", err)
	}
	// The public key first: a death in between leaves one key too many to check with, not one too few.
	pub := filepath.Join(dir, PublicFile)
	old, err := os.ReadFile(pub)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	err = data.WriteFile(pub, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n%s", public, old)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := keepSecret(path, secret+"\n", false); err != nil {
		if errors.Is(err, fs.ErrExist) { // another process was faster
			return FindSigner(dir, nil)
		}
		return nil, err
	}
	return FindSigner(dir, nil)
}

// FindPublic finds the public keys of folder dir; nil where there are none.
func FindPublic(dir string) (Public, error) {
	path := filepath.Join(dir, PublicFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	var keys Public
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		v, err := note.NewVerifier(line)
		if err != nil {
			return nil, data.Faultf(data.ErrUsage, "ledger: %s: line %d: no public key: %w", path, i+1, err)
		}
		keys = append(keys, v)
	}
	return keys, nil
}

// sign makes a checkpoint.
func (s *Signer) sign(origin string, size int64, root tlog.Hash) (Head, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
	msg, err := note.Sign(&note.Note{Text: text}, s.note)
	if err != nil {
		return Head{}, fmt.Errorf("ledger: signing a checkpoint: %w", err)
	}
	return Head{origin, size, root, true, string(msg)}, nil
}

// ParseHead reads a signed checkpoint. Without public keys the signature is not
// checked, and the Head not Signed; with some, another's or a wrong signature Is ErrBroken.
func ParseHead(text string, keys Public) (Head, error) {
	n, err := note.Open([]byte(text), note.VerifierList(keys...))
	var unverified *note.UnverifiedNoteError
	if errors.As(err, &unverified) && len(keys) == 0 {
		n, err = unverified.Note, nil
	}
	switch {
	case errors.As(err, &unverified):
		return Head{}, data.Faultf(ErrBroken, "signed with another key than those of %s", PublicFile)
	case err != nil:
		return Head{}, data.Faultf(ErrBroken, "no signed checkpoint: %w", err)
	}
	h := Head{Signed: len(n.Sigs) > 0, Note: text}
	lines := strings.SplitN(n.Text, "\n", 4) // lines that follow are for others
	if len(lines) < 4 {
		return Head{}, data.Faultf(ErrBroken, "no checkpoint: expected the lines origin, size and root")
	}
	h.Origin = lines[0]
	if h.Size, err = strconv.ParseInt(lines[1], 10, 64); err != nil || h.Size < 0 || strconv.FormatInt(h.Size, 10) != lines[1] {
		return Head{}, data.Faultf(ErrBroken, "no checkpoint: size %q", lines[1])
	}
	if h.Root, err = tlog.ParseHash(lines[2]); err != nil {
		return Head{}, data.Faultf(ErrBroken, "no checkpoint: root %q", lines[2])
	}
	return h, nil
}

// origin is the first line of a book's checkpoints.
func origin(ledgerID, tenant string) string { return "recoup/" + ledgerID + "/" + tenant }

// Tenant is the tenant that the checkpoint is of.
func (h *Head) Tenant() string {
	parts := strings.SplitN(h.Origin, "/", 3)
	return parts[len(parts)-1]
}

// Keep writes the checkpoint to a file of its own in folder dir, and returns its path.
func (h *Head) Keep(dir string) (string, error) {
	folder := filepath.Join(dir, CheckpointDir)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("ledger: %w", err)
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%d.txt", h.Tenant(), h.Size))
	return path, data.WriteFile(path, func(w io.Writer) error {
		_, err := io.WriteString(w, h.Note)
		return err
	})
}
