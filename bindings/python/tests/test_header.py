"""The declarations are the header's, and every function of it is wrapped."""

import re

import support

from headless_checkout._declarations import DECLARATIONS
from headless_checkout._library import ABI_VERSION, ffi, library

#: What a package whose checkouts always have callbacks has no use for.
NOT_WRAPPED = {"hco_runtime_next": "pull instead of callbacks"}

HEADER = (support.REPOSITORY / "include" / "headless_checkout.h").read_text(encoding="utf-8")


def tokens(text):
    """The declarations of a C text: without comments, preprocessor and linkage blocks, which hold no declaration."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r'#ifdef __cplusplus.*?#endif', " ", text, flags=re.DOTALL)
    text = re.sub(r"^\s*#.*$", " ", text, flags=re.MULTILINE)
    return re.findall(r"\w+|[^\w\s]", text)


def numbers(text):
    """The constants that are numbers."""
    return re.findall(r"^#define (HCO_\w+) (\d+)", text, flags=re.MULTILINE)


def functions(text):
    return re.findall(r"\b(hco_\w+)\(", re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL))


def test_declarations_are_the_headers():
    assert tokens(DECLARATIONS) == tokens(HEADER)


def test_numbers_are_the_headers():
    assert numbers(DECLARATIONS) == numbers(HEADER)


def test_a_changed_declaration_would_be_found():
    changed = HEADER.replace("int32_t timeout_ms", "int64_t timeout_ms")
    assert changed != HEADER
    assert tokens(DECLARATIONS) != tokens(changed)


def test_every_function_is_in_the_library():
    assert len(functions(HEADER)) == len(set(functions(HEADER)))
    for name in functions(HEADER):
        assert ffi.typeof(getattr(library(), name)).kind == "function"


def test_every_function_is_wrapped_or_listed():
    sources = [
        path.read_text(encoding="utf-8") for path in (support.PACKAGE / "headless_checkout").glob("*.py")
        if path.name != "_declarations.py"
    ]
    used = set(re.findall(r"\bhco_\w+", "\n".join(sources)))
    assert {name for name in functions(HEADER) if name not in used} == set(NOT_WRAPPED)


def test_versions_agree():
    assert dict(numbers(HEADER))["HCO_ABI_VERSION"] == str(ABI_VERSION)
    assert library().hco_abi_version() == ABI_VERSION


def test_the_numbers_of_statuses_kinds_and_verdicts():
    from headless_checkout import Verdict
    from headless_checkout._errors import BY_STATUS

    for number, kind in BY_STATUS.items():
        name = ffi.string(library().hco_status_name(number)).decode()
        assert kind.__name__.replace("Error", "").upper() == name[len("HCO_"):].replace("_", "").replace("ERROR", "")
    for verdict in Verdict:
        assert dict(numbers(HEADER))[f"HCO_VERDICT_{verdict.name}"] == str(verdict.value)
