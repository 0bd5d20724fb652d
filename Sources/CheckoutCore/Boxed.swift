/// A large value on the heap: whatever holds it is copied without it. A copy that is changed gets a value of its own.
struct Boxed<Value: Hashable & Sendable>: Hashable, @unchecked Sendable {
  // Changed only where nobody else holds it.
  private final class Storage {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  init(_ value: Value) { storage = Storage(value) }

  var value: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }

  static func == (left: Boxed, right: Boxed) -> Bool {
    left.storage === right.storage || left.storage.value == right.storage.value
  }

  func hash(into hasher: inout Hasher) { storage.value.hash(into: &hasher) }
}
