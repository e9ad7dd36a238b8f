"""Drives the library exactly as the PowerShell module does, through ctypes and with nothing but the standard library.

Arguments: path of the library, function of a command, path of its settings as JSON. Prints nothing when all is well.
The module polls for 100 ms at a time, so that it can react to Ctrl+C, encodes text as UTF-8 with a zero byte at the end,
answers questions, cancels a command that is stopped before its end, and always closes.
"""

import ctypes
import json
import os
import shutil
import signal
import sys

POLL_MS = 100
MESSAGE, TIMEOUT, FINISHED = 0, 1, 2
RECORD = os.environ.get("SVC_ABI_MESSAGES")


class Library:
    """The exported functions, declared as `Interop.cs` declares them: ids, numbers, bytes, and a pointer to text."""

    def __init__(self, path):
        self.native = ctypes.CDLL(path)
        declare = self.declare
        declare("svc_abi_version", ctypes.c_uint32)
        declare("svc_operation_next", ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint32, ctypes.POINTER(ctypes.c_void_p))
        declare("svc_operation_answer", ctypes.c_int32, ctypes.c_uint64, ctypes.c_char_p)
        declare("svc_operation_cancel", ctypes.c_int32, ctypes.c_uint64)
        declare("svc_operation_close", ctypes.c_int32, ctypes.c_uint64)
        declare("svc_describe", ctypes.c_void_p)
        declare("svc_string_free", None, ctypes.c_void_p)
        assert self.native.svc_abi_version() == 1
        for command in self.describe()["commands"]:
            declare(command["function"], ctypes.c_uint64, ctypes.c_char_p)

    def declare(self, name, result, *arguments):
        function = getattr(self.native, name)
        function.restype, function.argtypes = result, arguments

    def take(self, pointer):
        """The text behind a pointer, which is freed."""
        assert pointer
        try:
            return ctypes.string_at(pointer).decode("utf-8")
        finally:
            self.native.svc_string_free(pointer)

    def describe(self):
        return json.loads(self.take(self.native.svc_describe()))


class Operation:
    """One running command; closes on leaving its `with`."""

    def __init__(self, library, function, request):
        self.library = library
        text = request if isinstance(request, bytes) else json.dumps(request, ensure_ascii=False).encode("utf-8")
        self.id = getattr(library.native, function)(text)
        assert self.id != 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert self.library.native.svc_operation_close(self.id) == 0

    def poll(self):
        """A status and, with MESSAGE, the message."""
        pointer = ctypes.c_void_p()
        status = self.library.native.svc_operation_next(self.id, POLL_MS, ctypes.byref(pointer))
        assert status in (MESSAGE, TIMEOUT, FINISHED), status
        if status != MESSAGE:
            assert not pointer.value
            return status, None
        text = self.library.take(pointer.value)
        if RECORD:
            with open(RECORD, "a", encoding="utf-8") as record:
                record.write(text + "\n")
        return status, json.loads(text)

    def messages(self):
        while True:
            status, message = self.poll()
            if status == FINISHED:
                return
            if status == MESSAGE:
                yield message

    def answer(self, answer):
        return self.library.native.svc_operation_answer(self.id, json.dumps(answer).encode("utf-8"))

    def cancel(self):
        assert self.library.native.svc_operation_cancel(self.id) == 0


def deploy(library, function, request, approve=lambda action: True):
    """Runs a command to its end: the plan's actions, and the messages by event."""
    actions, taken = [], {}
    with Operation(library, function, request) as operation:
        for message in operation.messages():
            taken.setdefault(message["event"], []).append(message)
            if message["event"] == "plan":
                actions = message["actions"]
                approved = [action["index"] for action in actions if approve(action)]
                assert operation.answer({"id": message["id"], "approved": approved}) == 0
    return actions, taken


def only(messages):
    assert len(messages) == 1, messages
    return messages[0]


def refusals(library):
    """Text that is not ASCII comes back as it was, and text that is not UTF-8 is refused."""
    for function in [command["function"] for command in library.describe()["commands"]]:
        for name in ["größe", "サイズ", "𝒮ize"]:
            error = only(deploy(library, function, {name: 1})[1]["error"])
            assert error["terminating"] and error["code"] == "RequestInvalid", error
            assert name in error["message"], error
        error = only(deploy(library, function, b'{"settingsFile":"/caf\xe9.yml"}')[1]["error"])
        assert error["code"] == "RequestInvalid" and "UTF-8" in error["message"], error


def whole_exchange(library, function, request):
    """What-if, a refused run, a run, and a run with nothing to do."""
    planned, taken = deploy(library, function, {**request, "whatIf": True})
    assert planned and "error" not in taken and "resource" not in taken, taken
    result = only(taken["result"])
    assert result["whatIf"] and result["created"] + result["modified"] + result["deleted"] == len(planned), result
    for action in planned:
        assert action["confirm"] in ("normal", "always"), action
        assert all(planned[index]["index"] < action["index"] for index in action["dependsOn"]), action
        assert action["fullName"].endswith(action["name"]) and action["label"], action
        for change in action["changes"]:
            for side in ("before", "after"):
                if change[side] is not None:
                    json.loads(change[side])

    actions, taken = deploy(library, function, request, approve=lambda action: False)
    assert actions == planned and "resource" not in taken, taken
    assert only(taken["result"])["skipped"] == len(planned), taken

    actions, taken = deploy(library, function, request)
    assert actions == planned and "error" not in taken, taken
    done = {(report["action"], report["resourceId"]) for report in taken["resource"]}
    assert done == {(action["action"], action["resourceId"]) for action in planned}, taken

    actions, taken = deploy(library, function, request)
    assert not actions and "resource" not in taken and "error" not in taken, taken
    assert "unchanged" not in taken, "nobody asked for what is up to date"
    assert only(taken["result"])["unchanged"] == len(planned), taken

    context = {**request["context"], "includeUnchanged": True}
    actions, taken = deploy(library, function, {**request, "context": context})
    assert not actions and "resource" not in taken and "error" not in taken, taken
    assert {report["resourceId"] for report in taken["unchanged"]} == {action["resourceId"] for action in planned}, taken


def refused_settings(library, function, request):
    """A setting that nobody knows, with a name that is not ASCII: one error that says so, letter by letter."""
    settings = {**request["settings"], "größe": "ß"}
    error = only(deploy(library, function, {**request, "settings": settings})[1]["error"])
    assert error["terminating"] and error["code"] == "SettingsInvalid", error
    assert any("größe" in finding["path"] for finding in error["findings"]), error


def stopped(library, function, request):
    """Ctrl+C while the plan waits: cancel, then take what is left for at most two seconds, then close."""
    with Operation(library, function, request) as operation:
        for message in operation.messages():
            if message["event"] == "plan":
                break
        operation.cancel()
        left = [message["event"] for message in operation.messages()]
        assert "resource" not in left and "plan" not in left, left


def main():
    signal.alarm(300)
    path, function, settings_file = sys.argv[1:]
    library = Library(path)
    refusals(library)
    with open(settings_file, encoding="utf-8") as file:
        settings = json.load(file)
    folder = os.path.join(os.getcwd(), "Ordner für サイズ")
    os.mkdir(folder)

    def request(state):
        # What the settings may depend on; the Rust test put it here.
        shutil.copyfile("landing-zone.json", os.path.join(folder, state))
        return {
            "settings": settings,
            "baseDirectory": folder,
            "environment": {"SVC_CLOUD": "local"},
            "context": {"localStateFile": os.path.join(folder, state)},
        }

    whole_exchange(library, function, request("exchange.json"))
    refused_settings(library, function, request("refused.json"))
    stopped(library, function, request("stopped.json"))


if __name__ == "__main__":
    main()
