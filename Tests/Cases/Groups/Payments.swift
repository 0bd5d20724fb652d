extension Groups {
  /// What payments and configurations are read as.
  static let payments: [String: GroupFunction] = [
    "create_resume_matrix": .prose, "order_decode_android": .prose, "actions_android": .prose,
  ]
}
