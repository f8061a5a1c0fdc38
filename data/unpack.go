package data

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// cursor walks the values of a column, decoding a page at a time.
type cursor[V comparable] struct {
	*codec[V]
	*pageStream
	page     parquet.Page
	def, rep []byte
	vals     []V // non-null values of the page
	own      []V // backing of vals where they are not used in place
	dict     parquet.Dictionary
	levels   []V     // values of dict
	index    []int32 // dictionary pages: places of the values in levels; plain pages: nil
	raw      bool    // leave vals of dictionary pages empty
	n        int     // entries in the page
	i, v     int     // next entry, next value
}

// load moves to the next page that has entries.
func (c *cursor[V]) load() error {
	for c.i == c.n {
		if c.page != nil {
			parquet.Release(c.page)
			c.page = nil
		}
		page, fresh, err := c.next()
		if err != nil {
			return err
		}
		c.page = page
		if fresh {
			c.dict = nil
		}
		if err := c.unpack(page); err != nil {
			return err
		}
	}
	return nil
}

// unpack decodes a page: dictionary or plain, which may change within a chunk.
func (c *cursor[V]) unpack(page parquet.Page) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged page: %v", p)
		}
	}()
	c.def, c.rep = page.DefinitionLevels(), page.RepetitionLevels()
	c.n, c.i, c.v = int(page.NumValues()), 0, 0
	count := c.n - int(page.NumNulls())
	if c.maxDef > 0 && len(c.def) != c.n {
		return fmt.Errorf("page has %d definition levels for %d values", len(c.def), c.n)
	}
	data := page.Data()
	dict := page.Dictionary()
	c.index = nil
	switch {
	case dict == nil && c.alias != nil:
		c.vals, err = exactly(c.alias(data), count)
		return err
	case dict == nil:
		c.own, err = c.decode(c.own[:0], data, count)
		c.vals = c.own
		return err
	}
	if dict != c.dict {
		if c.levels, err = c.decode(nil, dict.Page().Data(), dict.Len()); err != nil {
			return err
		}
		c.dict = dict
	}
	index := data.Int32()
	if len(index) != count {
		return fmt.Errorf("page has %d values, expected %d", len(index), count)
	}
	for _, k := range index {
		if uint(k) >= uint(len(c.levels)) {
			return fmt.Errorf("index %d into a dictionary of %d", k, len(c.levels))
		}
	}
	if c.index = index; c.raw {
		return nil
	}
	c.own = resize(c.own, count)
	for i, k := range index {
		c.own[i] = c.levels[k]
	}
	c.vals = c.own
	return nil
}

func (c *cursor[V]) close() error {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
	return c.pageStream.close()
}
