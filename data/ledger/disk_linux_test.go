package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// breakSync puts /dev/null in the place of a SQLite ledger's open write-ahead log: writes
// go through and are lost, and the sync after them fails. mend undoes it.
func breakSync(t *testing.T, path string) (mend func()) {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	bad, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Close()
	good := map[int]int{} // descriptor -> a copy of what it was
	for _, f := range open {
		var fd int
		fmt.Sscan(f.Name(), &fd)
		if to, err := os.Readlink("/proc/self/fd/" + f.Name()); err != nil || to != path+"-wal" {
			continue
		}
		if good[fd], err = syscall.Dup(fd); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Dup3(int(bad.Fd()), fd, syscall.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
	}
	if len(good) == 0 {
		t.Fatal("no write-ahead log is open")
	}
	var once sync.Once
	mend = func() {
		once.Do(func() {
			for fd, was := range good {
				if err := syscall.Dup3(was, fd, syscall.O_CLOEXEC); err != nil {
					t.Error(err)
				}
				syscall.Close(was)
			}
		})
	}
	t.Cleanup(mend)
	return mend
}

// A disk that fails to sync refuses what it cannot keep, by name; nothing of it is
// written or delivered, and the ledger goes on as the disk does.
func TestFailingSync(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "ledger.db")
	b, _ := newBook(t, path)
	var got []Entry
	if err := b.Follow(ctx, 0, func(e []Entry) { got = append(got, e...) }); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		put(t, b, event(fmt.Sprint("good", i), `1`))
	}
	mend := breakSync(t, path)
	var wait sync.WaitGroup
	var syncs atomic.Int64
	for i := range 20 {
		wait.Go(func() {
			_, err := b.Append(ctx, Job{Drafts: []Draft{event(fmt.Sprint("bad", i), `1`)}, Once: once(fmt.Sprint(i), 1)})
			var is *sqlite.Error
			if !errors.Is(err, ErrUnavailable) || !errors.As(err, &is) || is.Code()&0xff != sqlite3.SQLITE_IOERR {
				t.Errorf("%v, expected an I/O error", err)
			} else if is.Code() == sqlite3.SQLITE_IOERR_FSYNC {
				syncs.Add(1)
			}
		})
	}
	wait.Wait()
	mend()
	if syncs.Load() == 0 {
		t.Error("no sync failed")
	}
	if len(got) != 5 {
		t.Error("delivered what is not written:", got)
	}
	for i := range 20 { // the same again, as the callers would
		d, err := b.Append(ctx, Job{Drafts: []Draft{event(fmt.Sprint("bad", i), `1`)}, Once: once(fmt.Sprint(i), 1)})
		if err != nil || d.Replayed || d.Receipts[0].Duplicate || d.Receipts[0].Seq != int64(6+i) {
			t.Fatal(d, err)
		}
	}
	if e := all(t, b); len(e) != 25 || len(got) != 25 {
		t.Error(len(e), len(got))
	}
	checkChain(t, b, Secret{})
	// as after a power cut: what another opens from copies of the files
	copied := filepath.Join(t.TempDir(), "ledger.db")
	for _, end := range []string{"", "-wal"} {
		text, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+end, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	after, _ := newBook(t, copied)
	if e := all(t, after); len(e) != 25 {
		t.Error("after a crash:", len(e))
	}
	checkChain(t, after, Secret{})
}

// A full disk refuses by name, keeps what it answered for, and takes on again when
// there is room.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	resize := func(flags uintptr, size string) error {
		return syscall.Mount("tmpfs", disk, "tmpfs", flags, "size="+size)
	}
	if err := resize(0, "2m"); err != nil {
		t.Skip("a small disk cannot be mounted here: ", err)
	}
	defer syscall.Unmount(disk, 0)
	ctx := context.Background()
	c, clock := testConfig(filepath.Join(disk, "ledger.db"))
	l, err := Open(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	b := mustBook(t, l, "main")
	followed := 0
	if err := b.Follow(ctx, 0, func(e []Entry) { followed += len(e) }); err != nil {
		t.Fatal(err)
	}
	body := strings.Repeat("x", 10_000)
	said, full := 0, 0
	fill := func(until int) {
		for i := 0; full < until && i < 500; i++ {
			_, err := b.Append(ctx, Job{Drafts: []Draft{event(fmt.Sprint(said), body)}})
			var is *sqlite.Error
			switch {
			case err == nil:
				said++
			case errors.Is(err, ErrUnavailable) && errors.As(err, &is) && is.Code()&0xff == sqlite3.SQLITE_FULL:
				full++
			default:
				t.Fatalf("%v, expected a full disk", err)
			}
		}
	}
	if err := l.Failing(); err != nil {
		t.Error(err)
	}
	fill(10)
	var is *sqlite.Error
	if err := l.Failing(); !errors.Is(err, ErrUnavailable) || !errors.As(err, &is) {
		t.Errorf("a full disk is not told: %v", err)
	}
	if full != 10 || said == 0 || followed != said || len(all(t, b)) != said {
		t.Fatalf("%d said to be written, %d delivered, %d there, %d refused", said, followed, len(all(t, b)), full)
	}
	if err := resize(syscall.MS_REMOUNT, "64m"); err != nil {
		t.Fatal(err)
	}
	before := said
	fill(11)
	if said != before+500 || full != 10 || followed != said || len(all(t, b)) != said {
		t.Errorf("with room again: %d of 500 written, %d refused", said-before, full-10)
	}
	clock.Add(int64(failureCounts) + 1)
	if err := l.Failing(); err != nil {
		t.Error(err)
	}
	checkChain(t, b, Secret{})
}

// A ledger on a disk that cannot be written can be read.
func TestReadOnlyDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, ""); err != nil {
		t.Skip("no disk can be mounted here: ", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	c, _ := testConfig(filepath.Join(disk, "ledger.db"))
	l, err := Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	put(t, mustBook(t, l, "main"), event("e", `1`))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	c.ReadOnly = true
	l, err = Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if e := all(t, mustBook(t, l, "main")); len(e) != 1 {
		t.Error(e)
	}
}
