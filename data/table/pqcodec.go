package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// maxPage is the most that a page may unpack to. Writers cut pages at about
// 1 MiB.
const maxPage = 1 << 30

// codecKnown says whether unpack reads pages of a codec.
func codecKnown(c format.CompressionCodec) bool {
	switch c {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Zstd, format.Brotli, format.Lz4, format.Lz4Raw:
		return true
	}
	return false
}

// unpacker unpacks pages, one after the other.
type unpacker struct{ zstd *zstd.Decoder }

func (u *unpacker) open() (err error) {
	if u.zstd == nil {
		u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow),
			zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
	}
	return err
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// unpack is a page's bytes, which must be size, perhaps in buf. What a page claims to unpack to
// is believed only as far as its packed bytes can bear out.
//
// parquet-go takes the codec of the first row group for those of all, and its
// LZ4 gives other numbers without an error (parquet-go/parquet-go issue 608).
func (u *unpacker) unpack(codec format.CompressionCodec, packed []byte, size int, buf []byte) ([]byte, error) {
	if codec == format.Uncompressed {
		if len(packed) != size {
			return nil, fmt.Errorf("a page of %d bytes claims %d", len(packed), size)
		}
		return packed, nil
	}
	if len(packed) == 0 && size == 0 {
		return nil, nil
	}
	out, err := u.with(codec, packed, size, buf)
	if err != nil {
		return nil, fmt.Errorf("a %s page does not unpack: %w", codec, err)
	}
	if len(out) != size {
		return nil, fmt.Errorf("a %s page unpacks to %d bytes and claims %d", codec, len(out), size)
	}
	return out, nil
}

func (u *unpacker) with(codec format.CompressionCodec, packed []byte, size int, buf []byte) ([]byte, error) {
	switch codec {
	case format.Snappy:
		if n, err := snappy.DecodedLen(packed); err != nil || n != size {
			return nil, fmt.Errorf("it states %d bytes, and its header %d", n, size)
		}
		if size/64 > len(packed) { // a copy of 64 bytes takes two or three
			return nil, errors.New("it claims more than it can hold")
		}
		return snappy.Decode(sized(buf, size), packed)
	case format.Gzip:
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, err
		}
		return readSize(r, size)
	case format.Zstd:
		if err := u.open(); err != nil {
			return nil, err
		}
		if size <= 16<<20 {
			return u.zstd.DecodeAll(packed, sized(buf, size)[:0:size])
		}
		if err := u.zstd.Reset(bytes.NewReader(packed)); err != nil {
			return nil, err
		}
		return readSize(u.zstd, size)
	case format.Brotli:
		return parquet.LookupCompressionCodec(codec).Decode(nil, packed)
	case format.Lz4Raw:
		return unpackLZ4(packed, size)
	case format.Lz4: // as Hadoop frames it; old writers of other makes left the frame out
		if out, err := unpackHadoop(packed, size); err == nil {
			return out, nil
		}
		return unpackLZ4(packed, size)
	}
	return nil, errors.New("the codec is not known")
}

// readSize reads size bytes, and one more if there is one. Memory follows what
// comes, not what is claimed.
func readSize(r io.Reader, size int) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(min(size+bytes.MinRead, 16<<20))
	_, err := b.ReadFrom(io.LimitReader(r, int64(size)+1))
	return b.Bytes(), err
}

// unpackLZ4 reads one LZ4 block.
func unpackLZ4(src []byte, size int) ([]byte, error) {
	if size/255 > len(src) {
		return nil, errors.New("it claims more than it can hold")
	}
	out := make([]byte, 0, size)
	err := appendLZ4(&out, src, size, true)
	return out, err
}

// appendLZ4 reads one LZ4 block: runs of literal bytes, each followed by a copy
// of earlier ones, which may be of an earlier block unless it stands alone. All
// of dst has at most size bytes.
func appendLZ4(dst *[]byte, src []byte, size int, alone bool) error {
	out, first := *dst, 0
	if alone {
		first = len(out)
	}
	defer func() { *dst = out }()
	for len(src) > 0 {
		token := src[0]
		literals, rest, ok := lz4Length(int(token>>4), src[1:])
		if !ok || literals > len(rest) || literals > size-len(out) {
			return io.ErrUnexpectedEOF
		}
		out, src = append(out, rest[:literals]...), rest[literals:]
		if len(src) == 0 { // the last run has no copy
			return nil
		}
		if len(src) < 2 {
			return io.ErrUnexpectedEOF
		}
		back := int(binary.LittleEndian.Uint16(src))
		n, rest, ok := lz4Length(int(token&15), src[2:])
		n += 4
		if !ok || back == 0 || back > len(out)-first || n > size-len(out) {
			return errors.New("a copy reaches beyond the page")
		}
		for src = rest; n > 0; { // a copy may overlap itself
			k := min(n, back)
			out = append(out, out[len(out)-back:len(out)-back+k]...)
			n -= k
		}
	}
	return nil
}

// lz4Length adds to a length of 15 the bytes that go on with it.
func lz4Length(n int, src []byte) (length int, rest []byte, ok bool) {
	if n < 15 {
		return n, src, true
	}
	for i, x := range src {
		if n += int(x); x < 255 {
			return n, src[i+1:], true
		}
	}
	return 0, nil, false
}

// unpackHadoop reads LZ4 blocks, each behind the length it unpacks to and its
// own, big-endian.
func unpackHadoop(packed []byte, size int) (out []byte, err error) {
	for len(packed) > 0 {
		if len(packed) < 8 {
			return nil, io.ErrUnexpectedEOF
		}
		n, k := int(binary.BigEndian.Uint32(packed)), int(binary.BigEndian.Uint32(packed[4:]))
		packed = packed[8:]
		if k > len(packed) || n > size-len(out) {
			return nil, io.ErrUnexpectedEOF
		}
		block, err := unpackLZ4(packed[:k], n)
		if err != nil {
			return nil, err
		}
		out, packed = append(out, block...), packed[k:]
	}
	return out, nil
}
