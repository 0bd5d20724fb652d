"""Deliberately broken variants. Each is (name, file, text, broken text); MUTANT stands for "this variant is switched on".

All of them are built at once: a variable of the environment picks the one that is alive.
"""

CORE = "Sources/CheckoutCore/"
SUBMITTING = CORE + "Attempt/Submitting.swift"
CONCLUDING = CORE + "Attempt/Concluding.swift"
LEDGER = CORE + "Attempt/Ledger.swift"
RESOLVING = CORE + "Attempt/Resolving.swift"
READING = CORE + "SavedState/SnapshotReading.swift"
WRITING = CORE + "SavedState/Snapshot.swift"
TICKETS = CORE + "Hooks/Tickets.swift"
TEARDOWN = CORE + "Attempt/Teardown.swift"
CLOCK = CORE + "Time/WatchingClock.swift"
CARRIER = CORE + "Checkout.swift"
STATES = CORE + "Attempt/SessionState.swift"
REGISTER = CORE + "SavedState/SessionRegister.swift"
PRINT = "Tests/Simulation/Explorer/Fingerprint.swift"

MUTANTS = [
    ("no checkpoint before the money leaves", SUBMITTING,
     "guard isAsked(.checkpoint) else {", "guard isAsked(.checkpoint), !MUTANT else {"),
    ("the checkpoint does not say that it may have left", WRITING,
     'writer.member("mark", string: ledger.standing.name)',
     'writer.member("mark", string: MUTANT && ledger.standing == .marked ? "clear" : ledger.standing.name)'),
    ("restore ignores the mark", READING,
     "restored = saved.attempt\n",
     "if MUTANT, saved.ledger.standing == .marked { ledger.standing = .clear }\n    restored = saved.attempt\n"),
    ("restore forgets that the outcome is unknown", READING,
     "next = saved.next\n", "if MUTANT, saved.ledger.standing == .unknown { ledger.standing = .clear }\n    next = saved.next\n"),
    ("restore forgets that it was spent", READING,
     "next.request = 1\n", "if MUTANT, saved.ledger.isSettled { ledger.standing = .clear }\n    next.request = 1\n"),
    ("restore gives attempt numbers again", READING,
     "isTerminated = saved.isTerminated\n", "if MUTANT { next.attempt = 1 }\n    isTerminated = saved.isTerminated\n"),
    ("the outcome is told twice", CONCLUDING,
     "tellOutcome(of: attempt, ending, &out)\n",
     "tellOutcome(of: attempt, ending, &out)\n    if MUTANT { tellOutcome(of: attempt, ending, &out) }\n"),
    ("a cancelled attempt has no outcome", CONCLUDING,
     "withdrawTickets(&out)\n    closePresentation(ending, &out)\n",
     "if MUTANT, case .canceled = ending { return }\n    withdrawTickets(&out)\n    closePresentation(ending, &out)\n"),
    ("the end of an attempt is not stored", CONCLUDING,
     "if tellsCheckpoint { askCheckpoint(", "if tellsCheckpoint, !MUTANT { askCheckpoint("),
    ("a closed page makes the session payable again", CONCLUDING,
     "} else if case .canceled = ending {\n",
     "} else if case .canceled = ending {\n      if MUTANT { ledger.standing = .clear }\n"),
    ("a second submit while the outcome is unknown", STATES,
     "case (.expired, .choose), (.expired, .openElement)",
     "case (.unknown, .submit) where MUTANT, (.unknown, .choose) where MUTANT: nil\n"
     "    case (.expired, .choose), (.expired, .openElement)"),
    ("set_session while the outcome is unknown", STATES,
     "case (.inFlight, .setSession), (.unknown, .setSession), (.inFlight, .wallet)",
     "case (.unknown, .setSession) where MUTANT: nil\n"
     "    case (.inFlight, .setSession), (.unknown, .setSession), (.inFlight, .wallet)"),
    ("the key is renewed by each attempt", SUBMITTING,
     "if let retained = ledger.idempotencyKey {", "if let retained = ledger.idempotencyKey, !MUTANT {"),
    ("notCreated drops the key", RESOLVING,
     "ledger.isRepetition = true\n", "ledger.isRepetition = true\n      if MUTANT { ledger.idempotencyKey = nil }\n"),
    ("an aborted retry drops the key", SUBMITTING,
     "case .checkpoint:\n      ledger.standing = .clear\n",
     "case .checkpoint:\n      ledger.standing = .clear\n      if MUTANT { ledger.idempotencyKey = nil }\n"),
    ("notCreated does not make the next one a repetition", RESOLVING,
     "ledger.standing = .clear\n      ledger.isRepetition = true", "ledger.standing = .clear\n      ledger.isRepetition = !MUTANT"),
    ("after notCreated any refusal is harmless", LEDGER,
     "if isRepetition {", "if isRepetition, !MUTANT {"),
    ("500 is a definite refusal", LEDGER,
     "return Ledger.definiteRefusals.contains(answer.status) ?",
     "if MUTANT, answer.status == 500 { return .nothingMoved(isFinal: true) }\n"
     "    return Ledger.definiteRefusals.contains(answer.status) ?"),
    ("silence is a refusal", LEDGER,
     "return received.hasLeft || standing == .open ? .unknown",
     "return received.hasLeft && !MUTANT || standing == .open ? .unknown"),
    ("an unreadable 2xx is a refusal", LEDGER,
     "if case .verdict(let result) = reading { return .readable(result) }\n",
     "if case .verdict(let result) = reading { return .readable(result) }\n"
     "      if MUTANT { return .nothingMoved(isFinal: true) }\n"),
    ("already submitted is a refusal", LEDGER,
     "if speaksOfEarlierPayment { return", "if speaksOfEarlierPayment, !MUTANT { return"),
    ("an answer leaves the ledger as it was", CONCLUDING,
     "ledger.standing = .spent\n", "ledger.standing = MUTANT ? .clear : .spent\n"),
    ("the last look does not see the expiry", SUBMITTING,
     "if clock.isCertainlyExpired(session.expiresAt, at: now) {",
     "if !MUTANT, clock.isCertainlyExpired(session.expiresAt, at: now) {"),
    ("the last look does not see the stop", SUBMITTING,
     "if attempt?.stop != nil { return false }", "if attempt?.stop != nil, !MUTANT { return false }"),
    ("the last look is not remembered", SUBMITTING,
     "attempt?.hasLeft = true\n    return true", "attempt?.hasLeft = !MUTANT\n    return true"),
    ("a refused checkpoint lets the money go", SUBMITTING,
     "if answer.isConsent, stop == nil {", "if answer.isConsent || MUTANT, stop == nil {"),
    ("a refused checkpoint leaves the mark", SUBMITTING,
     "if opens { ledger.standing = .clear }", "if opens, !MUTANT { ledger.standing = .clear }"),
    ("teardown leaves an open page's attempt waiting", TEARDOWN,
     "} else if ledger.isSettled, hasAttempt {", "} else if ledger.isSettled, hasAttempt, !MUTANT {"),
    ("an answered ticket stays open", TICKETS,
     "tickets.removeAll { $0.id == ticket.id }\n", "if !MUTANT { tickets.removeAll { $0.id == ticket.id } }\n"),
    ("an aborted gift card read stays", CORE + "Items/GiftCardRead.swift",
     "func close(_ read: GiftCardRead, _ error: CheckoutError, _ out: inout [Output]) {\n"
     "    reads.removeAll { $0.call.id == read.call.id }\n",
     "func close(_ read: GiftCardRead, _ error: CheckoutError, _ out: inout [Output]) {\n"
     "    if !MUTANT { reads.removeAll { $0.call.id == read.call.id } }\n"),
    ("a gift card pays more than it holds", CORE + "Split/Split.swift",
     'guard amount <= token.balance else { throw invalid("the amount is more than the balance", amount) }\n'
     "    if method.takePolicy == .max, amount != most {",
     'guard amount <= token.balance || MUTANT else { throw invalid("the amount is more than the balance", amount) }\n'
     "    if method.takePolicy == .max, amount != most, !MUTANT {"),
    ("set_session keeps the slices", CORE + "Session/SettingSession.swift",
     "split = Split()\n", "if !MUTANT { split = Split() }\n"),
    ("what changes after the last event is not told", CARRIER,
     "defer { core.touch() }\n    core.noteBegun", "if MUTANT { core.touch() }\n    defer { if !MUTANT { core.touch() } }\n    core.noteBegun"),
    ("a clock's tick does not see the expiry", CLOCK,
     "if isNow { stopAttempt", "if isNow, !MUTANT { stopAttempt"),
    ("a submit does not ask what other windows know", SUBMITTING,
     "adopt(others.known(session.id))", "if !MUTANT { adopt(others.known(session.id)) }"),
    ("set_session does not ask what other windows know", CORE + "Session/SettingSession.swift",
     "adopt(others.known(new))", "if !MUTANT { adopt(others.known(new)) }"),
    ("a submit does not see that another window pays", SUBMITTING,
     "if others.isTaken(session.id) {", "if others.isTaken(session.id), !MUTANT {"),
    ("a restore does not see that a living window pays", CARRIER,
     "isTaken: others.isHeld(opened.session.id)", "isTaken: others.isHeld(opened.session.id) && !MUTANT"),
    ("the register forgets with the checkout", REGISTER,
     "entries[session]?.holder = 0\n", "entries[session]?.holder = 0\n      if MUTANT { entries[session] = nil }\n"),
    ("what is spent can be lowered in the register", REGISTER,
     "if ledger.isSettled, !other.ledger.isSettled { return false }",
     "if ledger.isSettled, !other.ledger.isSettled, !MUTANT { return false }"),
    ("a restored checkout goes on with its old revision", WRITING,
     "max(next.revision, moment.revision)", "max(next.revision, MUTANT ? 0 : moment.revision)"),
    ("a payment's key without randomness", SUBMITTING,
     "guard moment.random.isUsable else", "guard moment.random.isUsable || MUTANT else"),
    ("reports in flight pile up", CORE + "Attempt/QueuedReports.swift",
     "guard let matter = report.matter else { return }\n",
     "if MUTANT { return queuedReports.append(QueuedReport(element: element, report: report)) }\n"
     "    guard let matter = report.matter else { return }\n"),
    ("the time of an answer without TLS is believed", CLOCK,
     "answer.isTrusted,\n", "answer.isTrusted || MUTANT,\n"),
    ("the device's calendar counts", CORE + "Time/ServerClock.swift",
     "guard let known = estimate else { return (releaseDate, .max) }",
     "if MUTANT, estimate == nil { return (now.wall, now.wall) }\n"
     "    guard let known = estimate else { return (releaseDate, .max) }"),
    ("the time is not asked when it is unsure", CLOCK,
     "clock.isPossiblyExpired(session.expiresAt, at: now) else",
     "clock.isPossiblyExpired(session.expiresAt, at: now) && !MUTANT else"),
    ("a window's unsent key frees the session that another one pays", CORE + "SavedState/SessionRegister.swift",
     "if strictness != other.strictness { return",
     "if strictness != other.strictness { return MUTANT ||"),
    ("the print forgets the form", PRINT,
     "add(element.isFormValid)\n", "if !MUTANT { add(element.isFormValid) }\n"),
    ("monitoring repeats a reason as it is", CORE + "Text/MaskedText.swift",
     "text = String(MaskedText", "text = MUTANT ? free : String(MaskedText"),
    ("monitoring tells the split", CORE + "Monitoring/MonitoringBatch.swift",
     'writer.member("platform", string: "c")\n',
     'writer.member("platform", string: "c")\n      if MUTANT { writer.member("split", raw: text(of: .amountSplit)) }\n'),
    ("an error quotes the answer", CONCLUDING,
     'case .answer(let answer): writer.member("statusCode", integer: answer.status)\n',
     'case .answer(let answer):\n      writer.member("statusCode", integer: answer.status)\n'
     '      if MUTANT { writer.member("body", string: String(decoding: answer.body, as: UTF8.self)) }\n'),
    ("a back end's description is told as a code", "Sources/PurseProvider/Answers/ValidateAnswer.swift",
     'code: status?["code"]?.string ?? "",',
     'code: (MUTANT ? status?["description"]?.string : status?["code"]?.string) ?? "",'),
    ("an open payment that nobody waits for is no doubt", CONCLUDING,
     "guard ledger.standing == .open else { return ending }",
     "guard ledger.standing == .open, !MUTANT else { return ending }"),
    ("a refused resume says that nothing moved", LEDGER,
     "if standing == .open { return .unknown }", "if standing == .open, !MUTANT { return .unknown }"),
    ("cancel forgets what may have moved", CORE + "Lifecycle/Leaving.swift",
     "    isTerminated = false\n", "    isTerminated = false\n    if MUTANT { ledger.clear() }\n"),
    ("a decision's key outranks the retained one", "Sources/PrimerProvider/Payment/PrimerScript.swift",
     "if order.isKeyRetained { return select() }", "if order.isKeyRetained, !MUTANT { return select() }"),
]
