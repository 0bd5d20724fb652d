import Glibc

/// SIGTERM and SIGINT, waited for instead of handled.
enum StopSignals {
  static func block() {
    var signals = signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // GnuTLS may write to a connection whose client is gone.
    signal(SIGPIPE, SIG_IGN)
  }

  static func wait() {
    var signals = signals
    var received: Int32 = 0
    sigwait(&signals, &received)
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    return signals
  }
}
