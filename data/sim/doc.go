// Package sim is a hidden world of recurring payments in India. It writes the
// event log that a merchant would see, and apart from it the oracle: the true
// chance and outcome of everything that could have been done instead.
//
// Outcomes are mechanisms, not a formula fitted to features. A debit succeeds
// iff the mandate lives, the customer has not opted out, gateway and bank
// answer, the instrument is neither blocked nor expired, no limit is hit, the
// balance covers the amount and the answer arrives. The first of these that
// fails names the reason. Each mechanism can be switched off (Config.Without).
//
// The journey: a customer (customer.go) has pay days (calendar.go), a balance
// that fills and drains (balance.go), instruments and mandates that live and
// die (mandate.go, spell.go) at a bank with health and outages (bank.go).
// Charges fall due (subscription.go); one that fails opens a case (case.go),
// where a Policy (policy.go) that sees only public facts (situation.go) chooses
// among candidates (candidates.go); debit.go answers, cure.go says when the
// customer pays by himself. run.go does this for all customers in parallel,
// write.go stores it.
//
// Who needs everybody's events in the order of time, as a gate over the log does,
// plays on a Stage (stage.go): the world up to its failed charges, which no policy
// moves. A Decider (turn.go) is told every row as it becomes known and asked for
// every decision; play.go keeps the time, livecase.go and liveworld.go say what
// the world does with the answers, result.go what came of each case.
//
// All dice are keyed hashes (dice.go): an outcome is a function of (seed, case,
// attempt number, candidate) and of nothing else, so two policies that do the
// same thing see the same outcome. First charges, mandates and cures do not
// depend on the policy at all: every policy faces the same cases.
//
// p_true of a retry is its chance given the slow hidden traits (pay day,
// income, spending, intent, mandate hazard), the state of mandate, instrument
// and purse at the decision, and the bank's state at the candidate's time. The
// fast noise (the day's balance shock, what happens to the spells until then,
// gateway, issuer's mood, lost answers) is integrated out in closed form, so
// p_true has no simulation error.
//
// What is kept simple: bank holidays are ignored; without a Stage a waiting
// decision lets the case run on without a new decision, and a contact (payment
// link, nudge) is the last action of its case; a dead mandate stays dead for the open invoice, as
// with Razorpay's halted subscriptions, where a new mandate serves later
// invoices only; captures do not lower the balance.
package sim
