package report

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// strong is a report with everything in it: two models, an oracle, a champion.
// Its numbers are drawn, not measured.
func strong() *Report {
	yes, no := true, false
	r := weakReport()
	r.Decision = Decision{
		Outcome: Promoted, Challenger: "5b1f0c2e9a77", Champion: "90ac31d4e0f2", Against: "champion",
		Why:        "better held-out Brier score than the champion, with the whole interval above 0",
		Difference: Ranged(.0041, .0017, .0066, 9120),
		Checks: []Check{
			{"held-out Brier, paired by customer", &yes, "0.0041 [0.0017, 0.0066]"},
			{"same bytes on a second fit", &yes, "sha256 of attempt.json and cure.json equal"},
			{"gate violations on replay", nil, "there is no gate yet"},
			{"a check that failed", &no, "to see how it looks"},
		},
	}
	r.Decision.Kind, r.Decision.ChampionKind = "LightGBM", "logistic regression"
	r.Contenders = []Contender{
		{Model: "77d0aa41c3be", From: ThisNight, Kind: "logistic regression", Cure: "logistic regression", Brier: Ranged(.1561, .1522, .1600, 9120), LogLoss: Number(.471, 9120), AUC: Ranged(.741, .731, .751, 9120),
			OverBase: Ranged(.0271, .024, .030, 9120), Difference: Ranged(.0004, -.0011, .0018, 9120)},
		{Model: "5b1f0c2e9a77", From: ThisNight, Kind: "LightGBM", Cure: "logistic regression", Brier: Ranged(.1524, .1485, .1562, 9120), LogLoss: Number(.462, 9120), AUC: Ranged(.752, .743, .761, 9120),
			OverBase: Ranged(.0308, .028, .034, 9120), OverFirst: Ranged(.0037, .0012, .0061, 9120), Difference: Ranged(.0041, .0017, .0066, 9120),
			Trials: []ForestTry{{7, 50, .05, 5, .5, 120, .4631, false}, {15, 50, .05, 1, 1, 96, .4619, true}},
			Gains:  []Gain{{"mandate_status", .31}, {"cust_rate_90d", .22}, {"<b>bank</b>", .04}}},
		{Model: "c0a80101deadbeef", From: Added, Kind: "LightGBM", Cure: "none", Brier: Ranged(.1583, .154, .162, 9120), LogLoss: Number(.478, 9120), AUC: Ranged(.731, .72, .741, 9120),
			OverBase: Ranged(.0249, .021, .028, 9120), OverFirst: Ranged(-.0022, -.0041, -.0003, 9120), Difference: Ranged(-.0018, -.0038, .0002, 9120)},
		{Model: "90ac31d4e0f2", From: Added, Kind: "LightGBM", Cure: "none", NotJudged: "the same model as the champion", OverFirst: Unknown("no rows")},
	}
	r.Data.KnownAtAssumed = false
	r.Attempt = model(.24, .07, 9120, 1)
	r.Cure = model(.021, .0006, 61200, 2)
	r.Recovery = Recovery{
		F0: Ranged(.262, .251, .274, 8230), Before: Ranged(.0151, .0148, .0155, 402311), After: Ranged(.0149, .0144, .0154, 188020),
		Ratio: Ranged(.987, .941, 1.034, 590331),
	}
	for d := 1; d <= 21; d++ {
		f := 1 - math.Pow(1-.0144, float64(d))
		r.Recovery.Curve = append(r.Recovery.Curve, F0Point{d, Number(f, 8230), Ranged(f*1.02, f*1.02-.004-.0003*float64(d), f*1.02+.004+.0003*float64(d), 8230-int64(d)*300)})
	}
	r.Oracle = &Oracle{
		Attempt: Ceiling{AUCTrue: Ranged(.791, .783, .799, 9120), BrierBase: Ranged(.1832, .1790, .1871, 9120), BrierRaw: Ranged(.1598, .1560, .1637, 9120),
			Brier: Ranged(.1561, .1522, .1600, 9120), BrierTrue: Ranged(.1432, .1394, .1469, 9120), Captured: Ranged(.6775, .642, .713, 9120)},
		Cure: Ceiling{AUCTrue: Ranged(.742, .733, .750, 61200), BrierBase: Ranged(.01440, .01402, .01478, 61200), BrierRaw: Ranged(.01432, .01395, .01470, 61200),
			Brier: Ranged(.01430, .01393, .01468, 61200), BrierTrue: Ranged(.01424, .01387, .01462, 61200), Captured: Ranged(.625, .47, .78, 61200)},
		F0Predicted: Ranged(.262, .251, .274, 8230), F0True: Ranged(.268, .265, .271, 8230),
	}
	for i := range 10 {
		p := .05 + .045*float64(i)
		r.Oracle.F0Bins = append(r.Oracle.F0Bins, F0Bin{p, Ranged(p*1.03, p*1.03-.008, p*1.03+.008, 823)})
	}
	return r
}

// weakReport is a log that can tell little: no person-time, no champion, no
// oracle, and a name out of a file that tries to be markup.
func weakReport() *Report {
	yes := true
	m := model(.198, .003, 3042, 3)
	m.All.OverBase = Ranged(.0074, .0051, .0099, 3042)
	m.All.Calibrated["brier_skill_train"] = Ranged(.0471, .032, .062, 3042)
	m.Held = Test{NotAssessed: "only 41 positives among the held-out customers, 50 needed"}
	m.Groups[0].Levels[0].Level = `<script>alert("bank|x")</script>`
	return &Report{
		AsOf: "2026-11-01T00:00:00Z",
		Decision: Decision{Outcome: Promoted, Challenger: "5b1f0c2e9a77", Against: "base rate", Why: "first champion, better than the base rate",
			Difference: Ranged(.0074, .0051, .0099, 3042), Checks: []Check{{"held-out Brier, paired by customer", &yes, "0.0074 [0.0051, 0.0099]"}}},
		Data: Data{Currency: "EUR", KnownAtAssumed: true, ManifestHash: "9f2a4c61", First: "2025-11-01T00:00:03Z", Last: "2026-10-31T23:59:57.25Z",
			Tables: []TableSize{{"attempts", 50410}, {"decisions", 0}}, Cases: 21686, Customers: 21686, Attempts: 50410, Retries: 23073, AttemptRows: 23070, AttemptsOpen: 3,
			PeriodRows: 0, CensoredCases: 11021, HorizonDays: 21, AttemptWindow: "60 s, from the mapping", Notes: []string{"Retries follow within seconds."},
			FeatureSchemas: []SchemaRef{{"attempt", 52, 5, "c0ffee12"}, {"cure", 31, 2, "badc0de5"}}},
		Splits: []Split{
			{"warm_up", "2025-11-01T00:00:00Z", "2025-12-31T00:00:00Z", 4000, 800, 0, 0}, {"train", "2025-12-31T00:00:00Z", "2026-05-01T00:00:00Z", 11000, 2211, 0, 0},
			{"select", "2026-05-06T00:00:00Z", "2026-07-01T00:00:00Z", 2900, 577, 0, 0}, {"calibrate", "2026-07-06T00:00:00Z", "2026-09-01T00:00:00Z", 3011, 601, 0, 0},
			{"test", "2026-09-06T00:00:00Z", "2026-10-30T00:00:00Z", 3042, 603, 0, 0},
		},
		Attempt:     m,
		Cure:        Model{NotAssessed: "the log has no person-time: retries follow within minutes"},
		Recovery:    Recovery{NotAssessed: "no cure model: F0 = 0"},
		NotAssessed: []NotAssessed{{"off-policy evaluation", "not built yet"}, {"gate replay", "there is no gate yet"}, {"LightGBM challenger", "not built yet"}},
		Warnings:    []string{"known_at is assumed equal to occurred_at"},
	}
}

func model(rate, gain float64, n int64, seed uint64) Model {
	rng := rand.New(rand.NewPCG(seed, 0))
	m := Model{
		Train: Counts{5 * n, int64(rate * 5 * float64(n)), 2 * n}, Inputs: 148, L2: 1, Iterations: 7, GradInf: 3.1e-11, Platt: Platt{-.961, .0214},
		BaseRates: BaseRate{Ranged(rate*.98, rate*.96, rate, 5*n), Ranged(rate, rate*.96, rate*1.04, n)},
	}
	for _, l2 := range []float64{.01, .1, 1, 10} {
		loss := .5 + math.Abs(math.Log10(l2))/100
		m.L2Trials = append(m.L2Trials, L2Try{l2, &loss, l2 == 1})
	}
	m.All, m.Unseen, m.Held = testRows(rng, rate, gain, n), testRows(rng, rate, gain, n/4), testRows(rng, rate, gain, n/5)
	for i, name := range []string{"none", "platt", "beta", "isotonic"} {
		left := Ranged(float64(i-1)*.0002, float64(i-1)*.0002-.0005, float64(i-1)*.0002+.0006, n)
		m.Calibrators = append(m.Calibrators, Calibrator{name, name == "platt", Ranged(.156, .152, .160, n), Ranged(.47, .46, .48, n), Ranged(.0125, .008, .017, n), left})
	}
	for i := range 40 {
		v, se := rng.NormFloat64()*.4/float64(1+i/8), .03+.02*rng.Float64()
		m.Coefficients = append(m.Coefficients, Coefficient{fmt.Sprintf("reason_class=RETRY_%02d:days_from_payday", i), "candidate", Ranged(v, v-1.96*se, v+1.96*se, 5*n), v / 3})
	}
	m.Dropped = []Dropped{{"hours_since_notice", "constant in train"}, {"bank=UNKNOWN", "equal to rail=wallet in train"}}
	for i, b := range []string{"class x delay", "class x pay-cycle position", "class x rail health", "class x attempt number", "attempt number x pay-cycle position"} {
		w := gain / 10 * float64(3-i)
		m.Blocks = append(m.Blocks, Block{b, 8 + i, Ranged(.156+w, .152, .160, n), Ranged(w, w-gain/12, w+gain/12, n)})
	}
	m.Blocks[4].Worth = Unknown("the fit without it did not converge")
	for _, by := range []string{"bank", "rail", "attempt number"} {
		g := Group{By: by, Others: 17}
		for i := range 5 {
			gap, k := rng.NormFloat64()*.02, int64(i+1)
			half := .05 / math.Sqrt(float64(k))
			g.Levels = append(g.Levels, Level{fmt.Sprintf("%s %d", by, i), Ranged(rate, rate*.9, rate*1.1, 300*k), rate - gap,
				Ranged(gap, gap-half, gap+half, 300*k), Ranged(.15, .14, .16, 300*k), Ranged(gain, gain/2, gain*1.5, 300*k)})
		}
		m.Groups = append(m.Groups, g)
	}
	return m
}

func testRows(rng *rand.Rand, rate, gain float64, n int64) Test {
	base := rate * (1 - rate)
	of := func(b, ece float64) Measures {
		return Measures{
			"brier": Ranged(b, b*.975, b*1.025, n), "brier_skill_train": Ranged(1-b/base, 1-b/base-.02, 1-b/base+.02, n), "brier_skill_test": Ranged(1-b/base, 1-b/base-.02, 1-b/base+.02, n),
			"log_loss": Ranged(3*b, 2.9*b, 3.1*b, n), "roc_auc": Ranged(.74, .731, .749, n), "average_precision": Ranged(.51, .48, .54, n), "ece_mass": Ranged(ece, ece*.7, ece*1.3, n),
			"ece_noise_floor": Number(.0094, n), "cox_slope": Ranged(1.02, .95, 1.09, n), "spiegelhalter_z": Number(-.43, n), "base_rate": Number(rate, n),
			"cox_intercept": Unknown("p of exactly 0 or 1"),
		}
	}
	t := Test{Counts: Counts{n, int64(rate * float64(n)), n / 3}, Raw: of(base-gain*.9, .031), Calibrated: of(base-gain, .0121), OverBase: Ranged(gain, gain*.8, gain*1.2, n),
		IntervalsFrom: "2000 draws of whole customers, seed 1"}
	t.Histogram, t.RawHistogram, t.HistogramTop = make([]int64, 20), make([]int64, 20), .5
	if rate < .1 {
		t.HistogramTop = .05
	}
	for i := range 10 {
		p := rate * (.25 + 1.9*float64(i)/10)
		for _, raw := range []bool{true, false} {
			o, half := p+rng.NormFloat64()*.05*rate, 1.96*math.Sqrt(p*(1-p)/float64(n/10))
			if raw {
				o = rate + (p-rate)*.8
			}
			b := Bin{p, Ranged(o, max(0, o-half), o+half, n/10)}
			if raw {
				t.RawBins, t.RawHistogram[int(p/t.HistogramTop*20)] = append(t.RawBins, b), t.RawHistogram[int(p/t.HistogramTop*20)]+n/10
			} else {
				t.Bins, t.Histogram[int(p/t.HistogramTop*20)] = append(t.Bins, b), t.Histogram[int(p/t.HistogramTop*20)]+n/10
			}
		}
	}
	return t
}
