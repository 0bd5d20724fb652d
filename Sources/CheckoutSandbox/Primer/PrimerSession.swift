/// What the pretend back end knows of one client session.
struct PrimerSession: Hashable {
  let id: String
  let merchantKey: String
  /// What the merchant hands to the client.
  let clientToken: String
  /// What the client's calls carry.
  let accessToken: String
  /// In milliseconds since 1970.
  let expiresAt: Int64
  let wishes: PrimerWishes
  var order: PrimerOrder
  var instruments: [PrimerInstrument] = []
  var payments: [PrimerPayment] = []

  /// Does the token open this session's calls? Its own, or a required action's.
  func isOpened(by token: String) -> Bool {
    token == accessToken || payments.contains { $0.actions.contains { $0.accessToken == token } }
  }
}

/// What was tokenized, or exchanged for a saved method: good for one payment.
struct PrimerInstrument: Hashable {
  let token: String
  let type: String
  /// As the answer showed it.
  let document: SandboxJSON
  /// How a payment with it goes; nil when its amount may say.
  let ending: PrimerCase?
  /// Where its page leads back.
  let returnURL: String?
  var isUsed = false
}

/// One payment that was made, and how it stands.
struct PrimerPayment: Hashable {
  let id: String
  let date: String
  let instrument: PrimerInstrument
  let ending: PrimerCase
  let amount: Int64
  let idempotencyKey: String?
  /// The steps that are still to come after the last action.
  var steps: [PrimerStep]
  var actions: [PrimerAction] = []
  var verdict: PrimerVerdict
}

/// One required action of a payment.
struct PrimerAction: Hashable {
  let id: String
  let step: PrimerStep
  /// In the required action's token, beside the session's own.
  let accessToken: String
  let clientToken: String
  let resumeToken: String
  var decision: PrimerDecision?
  /// How many more polls answer PENDING once it is decided.
  var pendingPolls: Int64
  /// Has the payment been resumed with its token?
  var isResumed = false
}
