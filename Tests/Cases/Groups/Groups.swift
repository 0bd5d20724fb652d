/// Which function answers which group. A family of groups has a file of its own.
enum Groups {
  static let all: [String: GroupFunction] = {
    var all: [String: GroupFunction] = [:]
    for family in [cardNetworks, cardFields, billingFields, networkChoices, texts, amounts, payments, sentences] {
      all.merge(family) { first, _ in first }
    }
    return all
  }()

  /// Groups of sentences alone: about sessions, payments and calls.
  static let sentences: [String: GroupFunction] = [
    "idempotency": .prose, "session_state_machine_beta4": .prose, "session_state_machine_spec": .prose,
    "payment_failure_checkout_data": .prose, "retry_target": .prose, "apple_pay_shipping_session": .prose,
    "vault_intent_newer": .prose, "vault_manager": .prose, "configuration_service": .prose, "polling": .prose,
    "network_requests": .prose, "network_responses": .prose, "request_retry": .prose, "configuration_cache": .prose,
    "config_decode": .prose, "analytics_funnel_newer": .prose, "bin_lookup_flow": .prose,
    "cobadge_selection_pin": .prose,
  ]
}
