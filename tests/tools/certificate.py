"""Certificates read and written, so that tests can change them: another reader
of the file that docs/certificates.md describes.

    c = certificate.read(path)       c.facts, c.model, c.states
    certificate.write(path, c)       all lengths and checksums are right
"""

import dataclasses
import struct
import zlib

MAGIC = b"NUTCERT1"
FACTS, MODEL, STATES, END = 1, 2, 3, 4
BLOCK = 1 << 18


@dataclasses.dataclass
class Certificate:
    facts: str
    model: str
    states: list  # of tuples of numbers, in the order of the file


def blocks(data):
    """Kind, count and bytes of each block."""
    at = len(MAGIC)
    assert data[:at] == MAGIC
    while at < len(data):
        kind, count, raw, stored = struct.unpack_from("<IIQQ", data, at)
        body = data[at + 24:at + 24 + stored]
        check, = struct.unpack_from("<I", data, at + 24 + stored)
        assert check == zlib.crc32(data[at:at + 24 + stored])
        at += 24 + stored + 4
        yield kind, count, body if stored == raw else zlib.decompress(body)


def block(kind, count, raw):
    packed = zlib.compress(raw)
    body = packed if len(packed) < len(raw) else raw
    head = struct.pack("<IIQQ", kind, count, len(raw), len(body)) + body
    return head + struct.pack("<I", zlib.crc32(head))


def number(value):
    value &= 0xFFFFFFFF
    if value < 240:
        return bytes([value])
    if value < 496:
        return bytes([240, value - 240])
    if value < 496 + 65536:
        return b"\xf1" + struct.pack(">H", value - 496)
    return b"\xf2" + struct.pack(">I", value)


def numbers(data):
    at, found = 0, []
    while at < len(data):
        value, at = number_at(data, at)
        found.append(value - (value >> 31 << 32))
    return tuple(found)


def number_at(data, at):
    first = data[at]
    if first < 240:
        return first, at + 1
    if first == 240:
        return 240 + data[at + 1], at + 2
    if first == 241:
        return 496 + struct.unpack_from(">H", data, at + 1)[0], at + 3
    return struct.unpack_from(">I", data, at + 1)[0], at + 5


def packed(state):
    return b"".join(map(number, state))


def states_of(raw, count):
    at, last = 0, b""
    for _ in range(count):
        shared, at = number_at(raw, at)
        rest, at = number_at(raw, at)
        last = last[:shared] + raw[at:at + rest]
        at += rest
        yield numbers(last)
    assert at == len(raw)


def read(path):
    c = Certificate("", "", [])
    for kind, count, raw in blocks(path.read_bytes()):
        if kind == FACTS:
            c.facts = raw.decode()
        elif kind == MODEL:
            c.model = raw.decode()
        elif kind == STATES:
            c.states += states_of(raw, count)
        else:
            assert struct.unpack("<Q", raw)[0] == len(c.states)
    return c


def state_blocks(states):
    raw, last, count = b"", b"", 0
    for state in states:
        whole = packed(state)
        shared = 0
        while shared < min(len(last), len(whole)) and \
                last[shared] == whole[shared]:
            shared += 1
        raw += number(shared) + number(len(whole) - shared) + whole[shared:]
        last, count = whole, count + 1
        if len(raw) >= BLOCK:
            yield block(STATES, count, raw)
            raw, last, count = b"", b"", 0
    if count:
        yield block(STATES, count, raw)


def write(path, c, in_order=True):
    states = sorted(set(c.states), key=packed) if in_order else c.states
    path.write_bytes(
        MAGIC + block(FACTS, 0, c.facts.encode()) +
        block(MODEL, 0, c.model.encode()) + b"".join(state_blocks(states)) +
        block(END, 0, struct.pack("<Q", len(states))))
