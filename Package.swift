// swift-tools-version: 6.2
import PackageDescription

// The same sources build two flavours of the library. The normal one carries Swift's runtime; the `Embedded` trait
// builds the small one, which needs libc and libm alone. Sources/README.md says what the restrictions below are for.
let embedded = BuildSettingCondition.when(traits: ["Embedded"])
let shipped: [SwiftSetting] = [
  .unsafeFlags(["-enable-experimental-feature", "Embedded"], embedded),
  .unsafeFlags(["-wmo", "-Xfrontend", "-function-sections"], embedded),
  .unsafeFlags(["-Osize", "-Xfrontend", "-disable-reflection-metadata"], .when(configuration: .release)),
  .unsafeFlags(["-Xllvm", "-enable-machine-outliner=always"], .when(configuration: .release)),
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
  .treatWarning("EmbeddedRestrictions", as: .error),
  .treatAllWarnings(as: .error),
]
let pure = shipped + [.strictMemorySafety()]
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// Made by the Makefile's `dist` target: where the toolchain keeps the Unicode tables of Embedded Swift.
let unicodeTables = Context.environment["HCO_UNICODE_TABLES"] ?? "libswiftUnicodeDataTables.a"

let package = Package(
  name: "HeadlessCheckout",
  products: [
    .library(name: "HeadlessCheckout", type: .dynamic, targets: ["HeadlessCheckout"]),
    .executable(name: "checkout-sandbox", targets: ["checkout-sandbox"]),
  ],
  traits: [.trait(name: "Embedded", description: "The small flavour: no Swift runtime inside")],
  targets: [
    .systemLibrary(name: "CHeadlessCheckout", path: "include"),
    .target(name: "CSystem", cSettings: [.define("HCO_EMBEDDED", embedded)]),
    .target(name: "JSONText", swiftSettings: pure),
    .target(
      name: "CheckoutCore", dependencies: ["JSONText"], exclude: ["AmountFormat/make_locale_data.py"],
      swiftSettings: pure),
    .target(name: "PurseProvider", dependencies: ["CheckoutCore", "JSONText"], swiftSettings: pure),
    .target(name: "PrimerProvider", dependencies: ["CheckoutCore", "JSONText"], swiftSettings: pure),
    .target(
      name: "CheckoutRuntime",
      dependencies: ["CSystem", "CheckoutCore", "PurseProvider", "PrimerProvider", "JSONText"],
      swiftSettings: shipped),
    .target(
      name: "HeadlessCheckout", dependencies: ["CHeadlessCheckout", "CSystem", "CheckoutRuntime"],
      exclude: ["exports.map"], swiftSettings: shipped,
      linkerSettings: [
        .unsafeFlags([
          "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/HeadlessCheckout/exports.map",
          "-Xlinker", "-soname=libheadlesscheckout.so.1", "-Xlinker", "-z", "-Xlinker", "nodelete",
          "-Xlinker", "-z", "-Xlinker", "now", "-use-ld=lld", "-Xlinker", "--icf=all",
          "-Xlinker", "--wrap=_swift_stdlib_getScalarName", "-Xlinker", "--wrap=_swift_stdlib_getNormData",
          "-Xlinker", "--wrap=_swift_stdlib_getDecompositionEntry", "-Xlinker", "--wrap=_swift_stdlib_getComposition",
          "-Xlinker", "--wrap=_swift_stdlib_nfd_decompositions",
        ]),
        .unsafeFlags(["-enable-experimental-feature", "Embedded", "-Xlinker", unicodeTables], embedded),
        .linkedLibrary("m"),
      ]),
    .target(name: "CheckoutSandbox", exclude: ["README.md", "Primer/README.md"], swiftSettings: strict),
    .systemLibrary(name: "CMicrohttpd", path: "Sources/CMicrohttpd", pkgConfig: "libmicrohttpd"),
    .target(name: "CSandboxServer", dependencies: ["CMicrohttpd"]),
    .executableTarget(
      name: "checkout-sandbox", dependencies: ["CheckoutSandbox", "CMicrohttpd", "CSandboxServer"],
      swiftSettings: strict),
    .systemLibrary(name: "CJansson", path: "Tests/CJansson", pkgConfig: "jansson"),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "CJansson"], swiftSettings: strict),
    .testTarget(name: "CheckoutCoreTests", dependencies: ["CheckoutCore", "JSONText"], swiftSettings: strict),
    .testTarget(
      name: "PurseProviderTests", dependencies: ["PurseProvider", "CheckoutCore", "JSONText"], swiftSettings: strict),
    .testTarget(
      name: "PrimerProviderTests", dependencies: ["CheckoutRuntime", "PrimerProvider", "CheckoutCore", "JSONText"],
      swiftSettings: strict),
    .testTarget(
      name: "CheckoutRuntimeTests",
      dependencies: ["CheckoutRuntime", "CSystem", "PurseProvider", "CheckoutCore", "JSONText"],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["CheckoutRuntime", "PurseProvider", "PrimerProvider", "CheckoutCore", "JSONText"],
      path: "Tests/Simulation",
      exclude: ["Mutants", "Canary/total.awk"], swiftSettings: strict),
    .executableTarget(
      name: "cases", dependencies: ["PrimerProvider", "CheckoutCore", "JSONText"], path: "Tests/Cases",
      exclude: ["README.md", "primer_cases.json", "prose.tsv", "different.tsv"], swiftSettings: strict),
    .executableTarget(name: "csystem-probe", dependencies: ["CSystem"], path: "Tests/CSystemProbe"),
    .executableTarget(
      name: "json-benchmark", dependencies: ["JSONText", "CJansson"], path: "Tests/Benchmarks/JSON",
      swiftSettings: strict),
    .testTarget(
      name: "HouseTests", dependencies: ["PurseProvider", "CheckoutCore"], path: "Tests/House",
      exclude: ["seed_rows.tsv"], swiftSettings: strict),
    .target(
      name: "CURLReading", path: "Tests/Conformance/CURLReading", linkerSettings: [.linkedLibrary("curl")]),
    .target(
      name: "URLReadings", dependencies: ["CURLReading", "CheckoutCore"], path: "Tests/Conformance/Readings",
      swiftSettings: strict),
    .testTarget(
      name: "ConformanceTests", dependencies: ["CheckoutCore", "URLReadings"], path: "Tests/Conformance/Tests",
      swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["CheckoutCore", "PurseProvider", "JSONText", "URLReadings"], path: "Tests/Fuzz",
      exclude: ["README.md"], swiftSettings: strict),
    .testTarget(name: "CheckoutSandboxTests", dependencies: ["CheckoutSandbox"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
