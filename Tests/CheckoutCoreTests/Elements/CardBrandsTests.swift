import Testing

@testable import CheckoutCore

@Suite("Brands of a card with several")
struct CardBrandsTests {
  static let all = ["VISA", "CARTE_BANCAIRE", "MASTERCARD"]

  /// Every list without repetition of up to three of the three brands.
  static var lists: [[String]] {
    var lists: [[String]] = [[]]
    for first in all {
      lists.append([first])
      for second in all where second != first {
        lists.append([first, second])
        lists += all.filter { $0 != first && $0 != second }.map { [first, second, $0] }
      }
    }
    return lists
  }

  @Test("The method's order decides, whatever order the card's brands come in")
  func preselection() {
    for supported in Self.lists {
      for detected in Self.lists {
        var brands = CardBrands()
        brands.detect(detected, supported: supported)
        #expect(brands.selected == supported.first { detected.contains($0) })
      }
    }
  }

  @Test("Only a brand that the method and the card have can be chosen; it stays while the card has it")
  func choice() throws {
    for supported in Self.lists {
      for detected in Self.lists {
        for choice in Self.all + ["ONEY"] {
          var brands = CardBrands()
          brands.detect(detected, supported: supported)
          let before = brands
          do throws(CheckoutError) {
            try brands.select(choice, supported: supported)
            #expect(supported.contains(choice) && detected.contains(choice))
            #expect(brands.selected == choice)
            brands.detect(detected.reversed(), supported: supported)
            #expect(brands.selected == choice)
            brands.detect(detected.filter { $0 != choice }, supported: supported)
            #expect(brands.selected == supported.first { detected.contains($0) && $0 != choice })
          } catch {
            #expect(brands == before)
            #expect(error.code == (supported.contains(choice) ? .brandNotBelongsToDetected : .notSupportedBrand))
          }
        }
      }
    }
  }
}
