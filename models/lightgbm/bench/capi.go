package main

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// LightGBM's C API (include/LightGBM/c_api.h), the few functions that score.
typedef void* handle;
typedef int (*create_fn)(const char*, int*, handle*);
typedef int (*mat_fn)(handle, const void*, int, int32_t, int32_t, int, int, int, int, const char*, int64_t*, double*);

typedef int (*init_fn)(handle, int, int, int, int, int32_t, const char*, handle*);
typedef int (*fast_fn)(handle, const void*, int64_t*, double*);
typedef const char* (*error_fn)(void);

static create_fn create;
static mat_fn mat;
static init_fn init;
static fast_fn fast;
static error_fn error;

enum { float64 = 1, raw_score = 1, row_major = 1 };

static const char* open_library(const char* path) {
	void* lib = dlopen(path, RTLD_NOW);
	if (!lib) return dlerror();
	create = (create_fn)dlsym(lib, "LGBM_BoosterCreateFromModelfile");
	mat = (mat_fn)dlsym(lib, "LGBM_BoosterPredictForMat");
	init = (init_fn)dlsym(lib, "LGBM_BoosterPredictForMatSingleRowFastInit");
	fast = (fast_fn)dlsym(lib, "LGBM_BoosterPredictForMatSingleRowFast");
	error = (error_fn)dlsym(lib, "LGBM_GetLastError");
	return create && mat && init && fast && error ? NULL : "the library lacks a function";
}

static int open_model(const char* path, handle* out) { int n; return create(path, &n, out); }
static int fast_init(handle b, int columns, handle* out) { return init(b, raw_score, 0, -1, float64, columns, "num_threads=1", out); }
static const char* last_error(void) { return error(); }

// each scores all rows one by one in C, so that Go's way to C costs nothing.
static int each(handle f, const double* rows, int n, int columns, double* out) {
	int64_t len;
	for (int i = 0; i < n; i++)
		if (fast(f, rows + (size_t)i * columns, &len, out + i)) return -1;
	return 0;
}

static int batch(handle b, const double* rows, int n, int columns, const char* threads, double* out) {
	int64_t len;
	return mat(b, rows, float64, n, columns, row_major, raw_score, 0, -1, threads, &len, out);
}
*/
import "C"

import (
	"errors"
	"unsafe"
)

// booster is a model in LightGBM.
type booster struct {
	handle, fast C.handle
	columns      int
}

func open(lib, model string, columns int) (*booster, error) {
	path, file := C.CString(lib), C.CString(model)
	defer C.free(unsafe.Pointer(path))
	defer C.free(unsafe.Pointer(file))
	if why := C.open_library(path); why != nil {
		return nil, errors.New(C.GoString(why))
	}
	b := &booster{columns: columns}
	if C.open_model(file, &b.handle) != 0 || C.fast_init(b.handle, C.int(columns), &b.fast) != 0 {
		return nil, lastError()
	}
	return b, nil
}

// each scores rows by SingleRowFast, one call a row.
func (b *booster) each(rows, out []float64) error {
	if C.each(b.fast, (*C.double)(&rows[0]), C.int(len(out)), C.int(b.columns), (*C.double)(&out[0])) != 0 {
		return lastError()
	}
	return nil
}

// batch scores rows by PredictForMat, in one call.
func (b *booster) batch(rows, out []float64, threads string) error {
	t := C.CString("num_threads=" + threads)
	defer C.free(unsafe.Pointer(t))
	if C.batch(b.handle, (*C.double)(&rows[0]), C.int(len(out)), C.int(b.columns), t, (*C.double)(&out[0])) != 0 {
		return lastError()
	}
	return nil
}

func lastError() error { return errors.New(C.GoString(C.last_error())) }
