extension Attempt {
  /// A report that came after the request left, for when the attempt is over. What a later one makes void is dropped,
  /// so that at most six wait for each element, and one for the session.
  mutating func queue(_ report: ElementReport, of element: String) {
    guard let matter = report.matter else { return }
    let isFatal = queuedReports.contains { $0.element == element && $0.report.isFatal }
    if matter == .partner, isFatal { return }
    queuedReports.removeAll { $0.report.matter == matter && ($0.element == element || matter == .session) }
    queuedReports.append(QueuedReport(element: element, report: report))
  }
}

extension ElementReport {
  /// What a report speaks of: of each matter the last one counts.
  fileprivate enum Matter { case form, brands, brand, cancel, redirect, partner, session }

  /// nil: refused while anything is in flight.
  fileprivate var matter: Matter? {
    switch self {
    case .formValidity: .form
    case .brands: .brands
    case .brandSelected: .brand
    case .ready, .initFailed, .clientError, .partnerError: .partner
    case .endOfSession: .session
    case .canceled: .cancel
    case .redirect: .redirect
    case .approved: nil
    }
  }

  /// Nothing that comes after it helps.
  fileprivate var isFatal: Bool {
    switch self {
    case .initFailed, .clientError: true
    case .partnerError(_, let recoverable): !recoverable
    case .ready, .formValidity, .brands, .brandSelected, .canceled, .approved, .redirect, .endOfSession: false
    }
  }
}
