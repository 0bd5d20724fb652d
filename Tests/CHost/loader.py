"""Loads the library from Python's ctypes, twice under two names: loader.py LIBRARY. Ends with its totals."""

import ctypes
import json
import os
import shutil
import sys
import tempfile
import threading

passed = failed = 0


def check(what, is_right):
    global passed, failed
    if is_right:
        passed += 1
    else:
        failed += 1
        print(f"FAILED loader: {what}")


LISTENER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p)
HOOK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_uint64, ctypes.c_char_p)
RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Callbacks(ctypes.Structure):
    _fields_ = [("listener", LISTENER), ("hook", HOOK), ("release", RELEASE), ("user", ctypes.c_void_p)]


def load(path):
    library = ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL)
    library.hco_version.restype = ctypes.c_char_p
    library.hco_free.argtypes = [ctypes.c_void_p]
    library.hco_runtime_create.argtypes = [
        ctypes.c_int32, ctypes.c_char_p, ctypes.POINTER(Callbacks), ctypes.POINTER(ctypes.c_void_p),
        ctypes.POINTER(ctypes.c_void_p)]
    library.hco_runtime_info.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
    library.hco_runtime_poll.argtypes = [ctypes.c_void_p, ctypes.c_int32]
    library.hco_runtime_destroy.argtypes = [ctypes.c_void_p]
    library.hco_create.argtypes = [
        ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(Callbacks), ctypes.POINTER(ctypes.c_void_p),
        ctypes.POINTER(ctypes.c_void_p)]
    return library


def taken(library, reply):
    text = ctypes.string_at(reply.value)
    library.hco_free(reply)
    return json.loads(text)


def handlers():
    with open("/proc/self/status") as status:
        # Not SigQ, which counts what waits for every process of the user.
        return [line for line in status if line.startswith(("SigBlk", "SigIgn", "SigCgt", "Threads"))]


def use(library, name):
    """A runtime and a refused checkout; gives the runtime."""
    runtime, reply, released = ctypes.c_void_p(), ctypes.c_void_p(), []
    callbacks = Callbacks(LISTENER(), HOOK(), RELEASE(released.append), None)
    status = library.hco_runtime_create(1, b'{"transport":"host"}', callbacks, runtime, reply)
    check(f"{name}: runtime", status == 0 and taken(library, reply)["transport"] == "host")
    reply = ctypes.c_void_p()
    checkout = ctypes.c_void_p()
    status = library.hco_create(runtime, b'{"widgetData":"!"}', callbacks, checkout, reply)
    check(f"{name}: refused", status == 1 and taken(library, reply)["code"] == "SESSION_MALFORMED")
    check(f"{name}: released", len(released) == 1 and checkout.value is None)
    check(f"{name}: poll", library.hco_runtime_poll(runtime, 0) == 0)
    return runtime, callbacks


def many_at_once(library):
    """The first use of a fresh copy by many threads at the same time."""
    results = []
    barrier = threading.Barrier(32)

    def first():
        runtime, reply = ctypes.c_void_p(), ctypes.c_void_p()
        barrier.wait()
        status = library.hco_runtime_create(1, b'{"transport":"host"}', None, runtime, reply)
        library.hco_free(reply)
        library.hco_runtime_destroy(runtime)
        results.append(status)

    threads = [threading.Thread(target=first) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("32 first runtimes at once", results == [0] * 32)


def main():
    with tempfile.TemporaryDirectory() as directory:
        copies = [shutil.copy(sys.argv[1], os.path.join(directory, f"copy{index}.so")) for index in range(3)]
        before = handlers()
        one, two = load(copies[0]), load(copies[1])
        check("loading changes no signal and starts no thread", handlers() == before)
        check("two copies are two", one.hco_version is not two.hco_version)
        runtime_one, keep_one = use(one, "one")
        runtime_two, keep_two = use(two, "two")
        reply = ctypes.c_void_p()
        status = two.hco_runtime_info(runtime_one, reply)
        check("a handle of one is none of the other", status == 3 and taken(two, reply)["code"] == "INVALID_HANDLE")
        check("using changes no signal and starts no thread", handlers() == before)
        one.hco_runtime_destroy(runtime_one)
        reply = ctypes.c_void_p()
        check("the other lives on", two.hco_runtime_info(runtime_two, reply) == 0 and taken(two, reply)["checkouts"] == 0)
        two.hco_runtime_destroy(runtime_two)
        many_at_once(load(copies[2]))
        closing = ctypes.CDLL(None).dlclose
        closing.argtypes = [ctypes.c_void_p]
        for _ in range(20):
            library = load(copies[0])
            closing(library._handle)
        use(load(copies[0]), "after dlclose")
    print(f"loader: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
