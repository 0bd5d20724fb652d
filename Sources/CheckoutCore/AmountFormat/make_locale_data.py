#!/usr/bin/env python3
"""Makes LocaleData.swift from the CLDR data in the PyPI package Babel: `make locale-data`. `--check` only compares.

A locale has a line where its layout or its currency symbols differ from those of the locale that truncation finds without
it, so that a lookup needs nothing but truncation. A symbol that is the currency's own code is not written.
"""

import re
import sys
import unicodedata
from pathlib import Path

import babel
from babel.core import get_cldr_version, get_global, parse_locale
from babel.localedata import get_locale_data, locale_identifiers

HERE = Path(__file__).parent
OUTPUT = HERE / "LocaleData.swift"
BABEL = "2.19.0"

# What Babel does not import: where it is 2, a number of four digits is not grouped. Children inherit it.
MINIMUM_GROUPING = {
    "be": 2, "bg": 2, "es": 2, "es_419": 1, "et": 2, "hu": 2, "hy": 2, "ia": 2, "ie": 2, "it": 2, "ka": 2, "lv": 2,
    "pl": 2, "pt_AO": 1, "pt_PT": 2, "ru_UA": 2, "sl": 2, "sq": 2,
}

# Babel has one pattern a language, that of the digits which the language prefers; some of its regions prefer others.
PATTERNS = {("ar", "arab"): "\u200f#,##0.00\u00a0¤"}

# The digit 0 of each numbering system that some locale prefers.
ZEROS = {
    "latn": 0x30, "adlm": 0x1E950, "arab": 0x660, "arabext": 0x6F0, "beng": 0x9E6, "cakm": 0x11136, "deva": 0x966,
    "hmnp": 0x1E140, "mtei": 0xABF0, "mymr": 0x1040, "nkoo": 0x7C0, "olck": 0x1C50, "tibt": 0xF20,
}

# The tables of currencies whose symbols are worth listing, and the sign of no currency.
CURRENCY_TABLES = [
    HERE.parent / "Money" / "CurrencyTable.swift", HERE.parents[1] / "PrimerProvider" / "Currencies" / "BundledCurrencies.swift",
]


def currencies():
    listed = "".join(path.read_text() for path in CURRENCY_TABLES)
    return set(re.findall(r"\b([A-Z]{3})[0-9]\b", listed)) | {"XXX"}


def likely(name):
    """language, region, script that CLDR thinks a locale to be in."""
    found = get_global("likely_subtags").get(name)
    return parse_locale(found)[:3] if found else (name, None, None)


def parent(name):
    """The locale that a locale inherits from."""
    exception = get_global("parent_exceptions").get(name)
    if exception:
        return exception
    parts = name.split("_")
    is_other_script = len(parts) == 2 and len(parts[1]) == 4 and parts[1] != likely(parts[0])[2]
    return "root" if len(parts) == 1 or is_other_script else "_".join(parts[:-1])


def minimum_grouping(name):
    while name != "root":
        if name in MINIMUM_GROUPING:
            return MINIMUM_GROUPING[name]
        name = parent(name)
    return 1


def affixes(pattern):
    """What stands before and after the number of a pattern."""
    number = re.search(r"[#0][#0,.]*", pattern)
    return pattern[:number.start()], pattern[number.end():]


def group_sizes(pattern):
    """How many digits the last group has, and how many the others; 0 for no groups."""
    parts = re.search(r"[#0][#0,]*", pattern)[0].split(",")
    primary = len(parts[-1]) if len(parts) > 1 else 0
    return primary, len(parts[-2]) if len(parts) > 2 else primary


def layout(name):
    """How a locale writes money, in the fields that LocaleLayout reads."""
    data = get_locale_data(name)
    system = data["default_numbering_system"]
    own, latin = data["number_symbols"][system], data["number_symbols"]["latn"]

    def symbol(*keys):
        return next(found for key in keys for source in (own, latin) if (found := source.get(key)))

    pattern = PATTERNS.get((name.partition("_")[0], system)) or data["currency_formats"]["standard"].pattern
    assert "'" not in pattern and "%" not in pattern, name
    positive, _, negative = pattern.partition(";")
    affix = [*affixes(positive), *(affixes(negative) if negative else ("-" + affixes(positive)[0], affixes(positive)[1]))]
    primary, secondary = group_sizes(positive)
    zero = ZEROS[system]
    # LocaleLayout makes a digit by adding to the last byte of the zero.
    assert zero < 0x80 or (zero & 0x3F) + 9 < 0x40, system
    fields = [text.replace("-", symbol("minusSign")) for text in affix] + [
        symbol("currencyDecimal", "decimal"), symbol("currencyGroup", "group"), chr(zero),
        f"{primary}{secondary}{minimum_grouping(name)}"]
    assert all("|" not in field and "\n" not in field for field in fields), name
    return "|".join(fields)


def symbols(name, codes):
    listed = get_locale_data(name)["currency_symbols"]
    return {code: listed[code] for code in codes if listed.get(code)}


def names():
    """Every identifier with a meaning of its own, and the locale of CLDR that it means."""
    known = set(locale_identifiers())
    meant = {name: name for name in known}
    # zh_TW is in the script of zh_Hant_TW, which truncation to zh would miss.
    for alias, target in get_global("likely_subtags").items():
        language, region, script = parse_locale(target)[:3]
        if alias == f"{language}_{region}" and script != likely(language)[2]:
            scripted = [name for name in (f"{language}_{script}_{region}", f"{language}_{script}") if name in known]
            if scripted:
                meant.setdefault(alias, scripted[0])
    for alias, target in get_global("language_aliases").items():
        if len(alias) == 2 and target in known:
            meant.setdefault(alias, target)
    return meant


def ancestor(name, listed):
    """What truncation finds for a name without its own line."""
    while "_" in name:
        name = name.rpartition("_")[0]
        if name in listed:
            return name
    return "root"


def table(codes):
    """The distinct layouts, and for each listed locale the place of its layout and its symbols."""
    layouts = [layout("root")]
    listed = {"root": (0, symbols("root", codes))}
    for name, meaning in sorted(names().items()):
        found = layout(meaning)
        if found not in layouts:
            layouts.append(found)
        record = (layouts.index(found), symbols(meaning, codes))
        if record != listed[ancestor(name, listed)]:
            listed[name] = record
    return layouts, listed


def locale_lines(listed):
    for name, (place, own) in sorted(listed.items(), key=lambda entry: entry[0].lower()):
        above = {} if name == "root" else listed[ancestor(name, listed)][1]
        changes = {code: own.get(code, code) for code in own | above if own.get(code, code) != above.get(code, code)}
        assert all("," not in symbol and "\n" not in symbol for symbol in changes.values()), name
        written = [code + ("" if symbol == code else symbol) for code, symbol in sorted(changes.items())]
        yield ",".join([name.lower(), str(place), *written])


def signs(listed):
    """Symbols' first and last characters outside ASCII that Unicode calls a symbol: no space is put beside them."""
    ends = {end for _, own in listed.values() for symbol in own.values() for end in (symbol[0], symbol[-1])}
    assert all(unicodedata.category(end)[0] != "Z" for end in ends)
    return sorted(end for end in ends if end > "~" and unicodedata.category(end)[0] == "S")


def escaped(character):
    """Readable where it is, and in an order that no editor turns round."""
    isolated = unicodedata.bidirectional(character) not in ("L", "ET", "ES", "CS", "EN", "ON")
    return f"\\u{{{ord(character):X}}}" if isolated or not character.isprintable() else character


def literal(lines):
    """The lines of a multi-line literal; long ones continue on the next."""
    for line in lines:
        words = ["".join(escaped(c) if c > "~" else c for c in word) for word in re.findall(r"[^,]+,?|,", line)]
        row = ""
        for word in words:
            if len(row) + len(word) > 110:
                yield "    " + row + "\\"
                row = ""
            row += word
        yield "    " + row


def swift(layouts, listed):
    return "\n".join([
        f"// Made by make_locale_data.py from the CLDR {get_cldr_version()} data in Babel {babel.__version__}: `make locale-data`.",
        "", "/// How the world writes amounts. `LocaleTable` reads it.", "enum LocaleData {",
        "  /// A line each, in the fields of `LocaleLayout`.", "  static let layouts = \"\"\"", *literal(layouts), "    \"\"\"", "",
        "  /// A locale a line, in order: its name, the place of its layout, and each symbol that its truncations lack, after",
        "  /// its currency; a currency alone is its own symbol again.",
        "  static let locales = \"\"\"", *literal(locale_lines(listed)), "    \"\"\"", "",
        "  /// What currency symbols begin or end with, beside ASCII, that is no letter.",
        f"  static let signs = \"{''.join(escaped(sign) for sign in signs(listed))}\"", "}", ""])


def main():
    if babel.__version__ != BABEL:
        sys.exit(f"Babel {BABEL} is wanted, this is {babel.__version__}")
    text = swift(*table(currencies()))
    if "--check" not in sys.argv:
        OUTPUT.write_text(text)
    elif OUTPUT.read_text() != text:
        sys.exit("LocaleData.swift is not what this Babel makes: run `make locale-data`")


main()
