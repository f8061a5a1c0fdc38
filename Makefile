# recoup: every target a person needs. `make` prints this help.
GO       ?= go
DEMO     ?= demo
CASES    ?= 20000
SEED     ?= 1
AS_OF    ?= 2026-03-01
FUZZTIME ?= 10s
RESULTS  ?= results.out
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Packages that start goroutines: the race detector runs on these.
# The night job's tests run whole nights and kill them, far too long under the
# detector: of them those run that start its own goroutines.
RACE = ./data/... ./features/... ./train/... ./models/... ./score ./api ./cmd/recoup ./cmd/recoup/worlds

.PHONY: help build demo tour test race lint bench results fuzz golden picture shots determinism clean

help: ## print this help
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build ./recoup (pure Go, no cgo)
	CGO_ENABLED=0 $(GO) build -trimpath -o recoup ./cmd/recoup

demo: build ## simulate a year of failed payments, then run the night job on it, with a LightGBM model to judge beside its own
	./recoup simulate --dir $(DEMO)/log --cases $(CASES) --seed $(SEED) --policy uniform --oracle $(DEMO)/oracle
	./recoup models add models/simulated --dir $(DEMO)/log
	./recoup nightly --dir $(DEMO)/log --as-of $(AS_OF) --oracle $(DEMO)/oracle

tour: build ## a newcomer's four commands, timed, and the whole loop of the service with curl (NOTE=README.md notes the times there)
	$(GO) run ./cmd/tour -recoup ./recoup -dir tour -rows 50000 $(if $(NOTE),-readme $(NOTE))

test: ## run every test
	$(GO) test -timeout 20m ./...

race: ## run the tests of packages with goroutines under the race detector
	$(GO) test -race -short -timeout 20m $(RACE)
	$(GO) test -race -run '^(TestDraws|TestPercentiles)' ./cmd/recoup/nightly

lint: ## gofmt, vet, staticcheck
	@test -z "$$(gofmt -l . | tee /dev/stderr)"
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

bench: build ## measure against the peers in the same run (makes a Python venv; PART=lightgbm one part, NOTE=README.md notes its table there)
	$(GO) run ./cmd/bench $(if $(NOTE),-readme $(NOTE)) $(PART)

results: build ## the long measurements, some two hours on two cores (they go on where they stopped): writes the pages in results/
	./recoup ope selftest --seeds 1000 --out $(RESULTS)/selftest
	./recoup ope selftest --seeds 200 --cases 20000 --out $(RESULTS)/selftest
	./recoup bandit compare --seeds 40 --out $(RESULTS)/bandits
	./recoup experiment --seeds 40 --lightgbm --out $(RESULTS)/experiment
	cp $(RESULTS)/selftest/selftest-5000.md $(RESULTS)/selftest/selftest-20000.md results/
	cp $(RESULTS)/bandits/report.md results/bandits.md
	cp $(RESULTS)/experiment/report.md results/experiment.md

fuzz: ## run every fuzz target for FUZZTIME (default 10s)
	@.ci/fuzz $(FUZZTIME)

golden: ## rewrite the golden files of the tests (then read the diff)
	$(GO) test ./api/report ./api/pages -update
	$(GO) test ./cmd/recoup -run '^TestGateExplain$$' -update-gate

picture: demo ## redraw the README's picture from the demo's report
	$(GO) run ./cmd/picture $(DEMO)/log/runs/*/report.json api/report/example/reliability.svg

shots: demo ## take the README's pictures of the pages, from the demo (needs Chromium)
	$(GO) test ./api/pages -run '^TestShots$$' -count=1 -shots=$(CURDIR)/api/pages/example -shots-of=$(abspath $(DEMO)/log)

determinism: build ## the demo twice, once on one thread: same bytes everywhere
	.ci/determinism ./recoup $(CASES)

clean: ## remove what was built and the demo
	rm -rf recoup tour $(DEMO)
