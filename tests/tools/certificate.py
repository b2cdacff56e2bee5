"""Certificates read and written, so that tests can change them: another reader
of the file that docs/certificates.md describes.

    c = certificate.read(path)       c.facts, c.model, c.states, c.products
    certificate.write(path, c)       all lengths and checksums are right
"""

import dataclasses
import struct
import zlib

MAGIC = b"NUTCERT1"
FACTS, MODEL, STATES, END, MARKS, PRODUCT, RANKS = range(1, 8)
BLOCK = 1 << 18


@dataclasses.dataclass
class Certificate:
    facts: str
    model: str
    states: list  # of tuples of numbers, in the order of the file
    products: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Product:
    marks: list   # by rank
    states: list  # of the model, with the place of the observer behind them
    ranks: list   # of these


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
    return bytes([value]) if value < 255 else b"\xff" + struct.pack(">I", value)


def numbers(data):
    at, found = 0, []
    while at < len(data):
        value, at = number_at(data, at)
        found.append(value - (value >> 31 << 32))
    return tuple(found)


def number_at(data, at):
    if data[at] < 255:
        return data[at], at + 1
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
        elif kind == MARKS:
            c.products.append(Product(list(numbers(raw)), [], []))
        elif kind == PRODUCT:
            c.products[-1].states += states_of(raw, count)
        elif kind == RANKS:
            c.products[-1].ranks += numbers(raw)
        else:
            counts = struct.unpack(f"<{len(raw) // 8}Q", raw)
            assert counts == (len(c.states),
                              *(len(p.states) for p in c.products))
    return c


def state_blocks(states, ranks=None):
    """With ranks those of a product, in pairs with blocks of these."""
    kind = STATES if ranks is None else PRODUCT
    raw, last, count, given = b"", b"", 0, b""
    for i, state in enumerate(states):
        whole = packed(state)
        shared = 0
        while shared < min(len(last), len(whole)) and \
                last[shared] == whole[shared]:
            shared += 1
        raw += number(shared) + number(len(whole) - shared) + whole[shared:]
        given += number(ranks[i]) if ranks else b""
        last, count = whole, count + 1
        if len(raw) >= BLOCK or i + 1 == len(states):
            yield block(kind, count, raw)
            if ranks is not None:
                yield block(RANKS, count, given)
            raw, last, count, given = b"", b"", 0, b""


def product_blocks(p, in_order):
    pairs = list(zip(p.states, p.ranks))
    if in_order:
        pairs = sorted(dict(pairs).items(), key=lambda x: packed(x[0]))
    yield block(MARKS, len(p.marks), b"".join(map(number, p.marks)))
    yield from state_blocks([s for s, _ in pairs], [r for _, r in pairs])


def write(path, c, in_order=True):
    states = sorted(set(c.states), key=packed) if in_order else c.states
    counts = [len(states)] + [len(set(p.states) if in_order else p.states)
                              for p in c.products]
    path.write_bytes(
        MAGIC + block(FACTS, 0, c.facts.encode()) +
        block(MODEL, 0, c.model.encode()) + b"".join(state_blocks(states)) +
        b"".join(b for p in c.products for b in product_blocks(p, in_order)) +
        block(END, 0, struct.pack(f"<{len(counts)}Q", *counts)))
