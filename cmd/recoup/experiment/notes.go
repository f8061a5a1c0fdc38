package experiment

import (
	"fmt"
)

// notes are what a reader must know.
func (j *job) notes(r *Report) []string {
	out := []string{
		"Simulated worlds. Their mechanisms and numbers stand in package data/sim with their sources; many are assumptions. A difference between arms here is a difference in these worlds.",
		"All arms face the same charges, customers, banks and dice; an attempt at the same time as the same number of its case has the same answer under each arm.",
		fmt.Sprintf("A case counts when the 21 days after its first failure are over by the end of the log; %d cases are not and are left out. Recovered = paid within these 21 days, by whatever road.", r.Setting.Unripe),
		"Intervals are 95 %, by customer (a ratio's, linearised), for differences on the same cases; the recovered share of an arm is Wilson's, case by case.",
		"The world pays nothing back for an escalation, so an arm that must tell the merchant pays 40 rupees for each and shows no gain from it; all arms inside the gate do so alike.",
		"After a contact a case rests three days; a case that waits is decided again at 04:00 IST each day, and after each event of the case.",
		"Wasted = a retry that did not capture. Hopeless = a retry with less than one chance in a hundred, which only the world knows. Halted = unpaid with all four attempts spent.",
		"The law is checked on the log's rows by code that shares nothing with the gate. Law = RBI and NPCI; terms = the provider's and the networks' own rules, which the ladder does not know.",
		"The oracle knows every slot's true chance and plans the best sequence of retries inside the gate, one decision at a time; it does not know which of the dice will fall.",
		"The engine with nothing learned takes the highest expected value with a model of two constants: every retry has one chance in two, nobody pays by himself. What it gains, the engine's arithmetic of amounts, costs and attempts left gains; a model is worth what it adds.",
		"The rules on the own pay day know what captures and failures have shown of it; they retry after noon of that day, or on the day after.",
		"The bandit retries where the rules do and draws when, among six timings, by Thompson sampling with exact probabilities; it has lived through the world that the models learned from, and goes on learning.",
		"The corrected model retries where the model does and draws when among all slots that the gate allows, by logistic Thompson sampling on top of what the model expects; in each world it begins as the model, and learns from cases whose 21 days are over.",
		"The models learned from worlds of their own that end before these begin; one of them from the rules' log, which tries each case at one time alone.",
		"p values are two-sided: of the normal test of the mean net by customer, and of the exact sign test over customers of whom one arm recovered more.",
		"The explorer draws alike from all that the gate allows: it pays for learning and is no candidate for deployment.",
	}
	if len(r.Ablation) > 0 {
		out = append(out, "Each rule is switched off alone. The ladder inside the gate presses against all rules; the model takes what looks best. A rule whose absence changes nothing here may still be law, or guard against what these worlds do not hold.")
	}
	return out
}
