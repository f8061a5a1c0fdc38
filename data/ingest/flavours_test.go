package ingest

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"golang.org/x/text/encoding/charmap"

	"recoup/data"
)

// invented is one attempt of the table that every flavour holds;
// testdata/flavours.py has the same rows.
type invented struct {
	ID, Customer, Status, Rail, Bank, Invoice string
	At                                        int64 // µs
	Paise                                     int64
}

func inventedRows() (rows []invented) {
	status := []string{"captured", "failed", "pending", "authorized_late"}
	rail := []string{"upi_autopay", "card", "emandate", "netbanking", "wallet"}
	bank := []string{"HDFC", "ICIC", "Kotak, Mahindra", "Société Générale", ""}
	for i := range 300 {
		rows = append(rows, invented{fmt.Sprintf("pay_%06d", i*7919%100_003), fmt.Sprintf("%07d", i%41), status[i%4], rail[i%5], bank[i*3%5],
			fmt.Sprintf("inv_%d", i/3), 1_782_846_317_000_000 + int64(i)*3_333_000, int64(i)*104_729%5_000_000 + 99})
	}
	return rows
}

var india = time.FixedZone("IST", 19800)

func (r invented) time() time.Time { return time.UnixMicro(r.At).UTC() }
func (r invented) iso() string     { return r.time().Format("2006-01-02T15:04:05.000Z07:00") }
func (r invented) rupees() string  { return fmt.Sprintf("%d.%02d", r.Paise/100, r.Paise%100) }

// grouped is the amount as 12.34.567,50 or so.
func (r invented) grouped() string {
	whole := fmt.Sprint(r.Paise / 100)
	if n := len(whole); n > 3 {
		whole = whole[:n-3] + "." + whole[n-3:]
	}
	return whole + fmt.Sprintf(",%02d", r.Paise%100)
}

const flavourMapping = `
table: attempts
currency: {from: cur}
source: {%s}
fields:
  attempt_id: id
  occurred_at: {from: at%s}
  amount_paise: {from: amount, unit: %s}
  customer_id: customer
  status: status
  rail: rail
  bank: bank
case: {by: [invoice, amount]}
`

// flavour is a file with the table, and the mapping of it.
type flavour struct{ file, mapping string }

type flavours struct {
	t   *testing.T
	dir string
	all []flavour
}

func (f *flavours) add(name string, b []byte, source, time, unit string) {
	path := filepath.Join(f.dir, name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		f.t.Fatal(err)
	}
	f.all = append(f.all, flavour{path, fmt.Sprintf(flavourMapping, source, time, unit)})
}

// csv writes the table with a separator, cells made by cell.
func csvOf(rows []invented, comma rune, crlf bool, cell func(r invented) []string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma, w.UseCRLF = comma, crlf
	w.Write([]string{"note", "id", "at", "amount", "customer", "status", "rail", "bank", "invoice", "cur"})
	for i, r := range rows {
		c := cell(r)
		w.Write([]string{"said \"no\",\nthen; paid\t" + fmt.Sprint(i), r.ID, c[0], c[1], r.Customer, r.Status, r.Rail, r.Bank, r.Invoice, "INR"})
	}
	w.Flush()
	return b.Bytes()
}

func (f *flavours) texts(rows []invented) {
	usual := func(r invented) []string { return []string{r.iso(), r.rupees()} }
	comma := csvOf(rows, ',', false, usual)
	f.add("comma.csv", comma, "", "", "rupees")
	f.add("bom.csv", append([]byte("\xef\xbb\xbf"), comma...), "", "", "rupees")
	f.add("crlf.csv", csvOf(rows, ',', true, usual), "", "", "rupees")
	f.add("tab.tsv", csvOf(rows, '\t', false, usual), "", "", "rupees")
	f.add("bar.csv", csvOf(rows, '|', false, usual), "", "", "rupees")
	f.add("paise.csv", csvOf(rows, ',', false, func(r invented) []string { return []string{fmt.Sprint(r.At / 1000), fmt.Sprint(r.Paise)} }), "", ", time: epoch_ms", "paise")
	f.add("semicolon.csv", csvOf(rows, ';', false, func(r invented) []string {
		return []string{r.time().In(india).Format("02.01.2006 15:04:05.000"), r.grouped()}
	}), `decimal: ",", group: ".", zone: Asia/Kolkata`, `, time: "%d.%m.%Y %H:%M:%S.%f"`, "rupees")
	latin, err := charmap.ISO8859_1.NewEncoder().Bytes(comma)
	if err != nil {
		f.t.Fatal(err)
	}
	f.add("latin.csv", latin, "encoding: latin-1", "", "rupees")
	var quoted bytes.Buffer
	for _, record := range mustRecords(f.t, comma) {
		for i := range record {
			record[i] = `"` + strings.ReplaceAll(record[i], `"`, `""`) + `"`
		}
		quoted.WriteString(strings.Join(record, ",") + "\n")
	}
	f.add("quoted.csv", quoted.Bytes(), "", "", "rupees")
	f.packed("csv", comma, "")

	var flat bytes.Buffer
	for _, r := range rows {
		row := map[string]any{"id": r.ID, "at": r.iso(), "amount": json.Number(r.rupees()), "customer": r.Customer, "status": r.Status, "rail": r.Rail,
			"bank": r.Bank, "invoice": r.Invoice, "cur": "INR", "list": []int{1}}
		if r.Bank == "" {
			delete(row, "bank")
		}
		b, _ := json.Marshal(row)
		flat.Write(append(b, '\n'))
	}
	f.add("flat.jsonl", flat.Bytes(), "", "", "rupees")
	f.packed("jsonl", flat.Bytes(), "")
	var nested bytes.Buffer
	for _, r := range rows {
		bank, _ := json.Marshal(r.Bank)
		if r.Bank == "" {
			bank = []byte("null")
		}
		fmt.Fprintf(&nested, "{\"cur\":\"INR\",\"p\":{\"amount\":%q,\"m\":{\"rail\":%q,\"bank\":%s}},\"at\":%d,\"id\":%q,\"customer\":%q,\"status\":%q,\"invoice\":%q}\n",
			fmt.Sprint(r.Paise), r.Rail, bank, r.At/1000, r.ID, r.Customer, r.Status, r.Invoice)
	}
	f.add("nested.jsonl", nested.Bytes(), "", ", time: epoch_ms", "paise")
	last := &f.all[len(f.all)-1]
	last.mapping = strings.NewReplacer("rail: rail", "rail: p.m.rail", "bank: bank", "bank: p.m.bank", "from: amount", "from: p.amount", ", amount]", ", p.amount]").Replace(last.mapping)
}

func mustRecords(t *testing.T, b []byte) [][]string {
	records, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// packed adds a text in two gzip members and in two zstd frames.
func (f *flavours) packed(ext string, b []byte, source string) {
	var gz, zs bytes.Buffer
	for _, part := range [][]byte{b[:len(b)/3], b[len(b)/3:]} {
		w := gzip.NewWriter(&gz)
		w.Write(part)
		w.Close()
		z, err := zstd.NewWriter(&zs)
		if err != nil {
			f.t.Fatal(err)
		}
		z.Write(part)
		z.Close()
	}
	f.add("gz."+ext+".gz", gz.Bytes(), source, "", "rupees")
	f.add("zst."+ext+".zst", zs.Bytes(), source, "", "rupees")
}

func (f *flavours) parquet(rows []invented) {
	text := func() parquet.Node { return parquet.Encoded(parquet.String(), &parquet.DeltaByteArray) }
	for name, o := range map[string]struct {
		at, amount parquet.Node
		of         func(r invented) (at, amount parquet.Value)
		source     string
		unit       string
		options    []parquet.WriterOption
	}{
		"int32_ms": {parquet.Timestamp(parquet.Millisecond), parquet.Int(32), func(r invented) (parquet.Value, parquet.Value) {
			return parquet.Int64Value(r.At / 1000), parquet.Int32Value(int32(r.Paise))
		}, "", "paise", []parquet.WriterOption{parquet.Compression(&parquet.Snappy), parquet.DataPageVersion(1)}},
		"decimal_wall": {parquet.TimestampAdjusted(parquet.Microsecond, false), parquet.Decimal(2, 18, parquet.Int64Type), func(r invented) (parquet.Value, parquet.Value) {
			return parquet.Int64Value(r.At + 19_800_000_000), parquet.Int64Value(r.Paise)
		}, "zone: Asia/Kolkata", "rupees", []parquet.WriterOption{parquet.Compression(&parquet.Lz4Raw), parquet.MaxRowsPerRowGroup(64)}},
		"double_ns": {parquet.Timestamp(parquet.Nanosecond), parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.ByteStreamSplit), func(r invented) (parquet.Value, parquet.Value) {
			return parquet.Int64Value(r.At * 1000), parquet.DoubleValue(float64(r.Paise) / 100)
		}, "", "rupees", []parquet.WriterOption{parquet.Compression(&parquet.Gzip), parquet.PageBufferSize(300)}},
	} {
		group := parquet.Group{"at": o.at, "amount": o.amount, "id": text(), "customer": parquet.String(), "status": parquet.Encoded(parquet.String(), &parquet.RLEDictionary),
			"rail": text(), "bank": parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary)), "invoice": parquet.Encoded(parquet.String(), &parquet.DeltaLengthByteArray), "cur": parquet.String()}
		var b bytes.Buffer
		schema := parquet.NewSchema("t", group)
		w := parquet.NewGenericWriter[any](&b, append(o.options, schema)...)
		for _, r := range rows {
			at, amount := o.of(r)
			cells := map[string]parquet.Value{"at": at, "amount": amount}
			for k, v := range map[string]string{"id": r.ID, "customer": r.Customer, "status": r.Status, "rail": r.Rail, "invoice": r.Invoice, "cur": "INR"} {
				cells[k] = parquet.ByteArrayValue([]byte(v))
			}
			var row parquet.Row
			for j, c := range schema.Columns() {
				switch {
				case c[0] != "bank":
					row = append(row, cells[c[0]].Level(0, 0, j))
				case r.Bank == "":
					row = append(row, parquet.NullValue().Level(0, 0, j))
				default:
					row = append(row, parquet.ByteArrayValue([]byte(r.Bank)).Level(0, 1, j))
				}
			}
			if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
				f.t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			f.t.Fatal(err)
		}
		f.add(name+".parquet", b.Bytes(), o.source, "", o.unit)
	}
}

func (f *flavours) arrow(rows []invented) {
	fields := []arrow.Field{{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}}, {Name: "amount", Type: arrow.PrimitiveTypes.Uint64}}
	for _, name := range []string{"id", "customer", "status", "rail", "bank", "invoice", "cur"} {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.BinaryTypes.String, Nullable: true})
	}
	schema := arrow.NewSchema(fields, nil)
	var stream bytes.Buffer
	file, err := os.Create(filepath.Join(f.dir, "file.arrow"))
	if err != nil {
		f.t.Fatal(err)
	}
	defer file.Close()
	fw, err := ipc.NewFileWriter(file, ipc.WithSchema(schema), ipc.WithZstd())
	if err != nil {
		f.t.Fatal(err)
	}
	sw := ipc.NewWriter(&stream, ipc.WithSchema(schema))
	for part := range 3 {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for _, r := range rows[part*100 : part*100+100] {
			b.Field(0).(*array.TimestampBuilder).Append(arrow.Timestamp(r.At / 1000))
			b.Field(1).(*array.Uint64Builder).Append(uint64(r.Paise))
			for k, v := range []string{r.ID, r.Customer, r.Status, r.Rail, r.Bank, r.Invoice, "INR"} {
				if v == "" {
					b.Field(2 + k).AppendNull()
				} else {
					b.Field(2 + k).(*array.StringBuilder).Append(v)
				}
			}
		}
		record := b.NewRecord()
		if err := fw.Write(record); err != nil {
			f.t.Fatal(err)
		}
		if err := sw.Write(record); err != nil {
			f.t.Fatal(err)
		}
		record.Release()
		b.Release()
	}
	if err := fw.Close(); err != nil {
		f.t.Fatal(err)
	}
	if err := sw.Close(); err != nil {
		f.t.Fatal(err)
	}
	f.all = append(f.all, flavour{file.Name(), fmt.Sprintf(flavourMapping, "", "", "paise")})
	f.add("stream.bin", stream.Bytes(), "", "", "paise")
}

// others adds the files of testdata/flavours.py; their names say what the
// mapping needs.
func (f *flavours) others() {
	files, err := filepath.Glob("testdata/flavour_*")
	if err != nil || len(files) < 9 {
		f.t.Fatal(files, err)
	}
	for _, path := range files {
		source, unit := "", "rupees"
		if strings.Contains(path, "_zone") {
			source = "zone: Asia/Kolkata"
		} else if strings.Contains(path, "_utc") {
			source = "zone: UTC"
		}
		if strings.Contains(path, "_paise") {
			unit = "paise"
		}
		f.all = append(f.all, flavour{path, fmt.Sprintf(flavourMapping, source, "", unit)})
	}
}

// logBytes is the sha256 of every file of a log.
func logBytes(t *testing.T, dir string) string {
	sums := map[string]string{}
	err := filepath.WalkDir(filepath.Join(dir, "events"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		sums[name] = fmt.Sprintf("%x", sha256.Sum256(b))
		return err
	})
	if err != nil || len(sums) < 2 {
		t.Fatal(sums, err)
	}
	b, _ := json.MarshalIndent(sums, "", " ") // in order of the names
	return string(b)
}

// TestFlavours: the same table gives the same log, byte for byte, whatever file
// it comes in.
func TestFlavours(t *testing.T) {
	f := flavours{t: t, dir: t.TempDir()}
	rows := inventedRows()
	f.texts(rows)
	f.parquet(rows)
	f.arrow(rows)
	f.others()
	first := ""
	for _, v := range f.all {
		dir := t.TempDir()
		m, err := Parse("m.yaml", []byte(v.mapping))
		if err != nil {
			t.Fatal(err)
		}
		s, err := Run(t.Context(), Options{Files: []string{v.file}, Mapping: m, Dir: dir})
		if err != nil || s.Events != 300 || s.Rejected+s.Duplicates != 0 {
			t.Errorf("%s: %+v, %v", v.file, s, err)
			continue
		}
		if got := logBytes(t, dir); first == "" {
			first = got
			all := attempts(t, dir)
			if n := len(all); n != 300 || all[0].OccurredAt != data.Micros(rows[0].At) || all[0].Amount != data.Paise(rows[0].Paise) {
				t.Fatalf("%d rows, first %+v", n, all[0])
			}
		} else if got != first {
			t.Errorf("%s makes another log than %s:\n%s\n%s", filepath.Base(v.file), filepath.Base(f.all[0].file), got, first)
		}
	}
	if len(f.all) < 26 {
		t.Errorf("%d flavours", len(f.all))
	}
}
