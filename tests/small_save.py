"""A reader of small packed saves (the codec "kifu"), written from schema/FORMAT.md. For test_flatc_roundtrip.py."""

import struct

from packed_save import OF_SEGMENTS, PENDING, SEGMENT, segment_of

CHECKPOINTS = 7


class Node:
    def __init__(self):
        self.zero, self.seen = 32768, 0


class Tree(dict):
    def __missing__(self, number):
        self[number] = Node()
        return self[number]


class Reader:
    def __init__(self, packed, size):
        self.packed, self.at, self.range, self.code = packed, 0, 2**32 - 1, 0
        for _ in range(4):
            self.code = self.code << 8 | self.next()
        self.ways, self.same = Tree(), Tree()
        self.out, self.size = bytearray(), size

    def next(self):
        self.at += 1
        return self.packed[self.at - 1] if self.at <= len(self.packed) else 0

    def bit(self, node):
        bound = self.range // 4096 * max(1, node.zero // 16)
        bit = int(self.code >= bound)
        if bit:
            self.code, self.range = self.code - bound, self.range - bound
        else:
            self.range = bound
        node.seen += node.seen < 250
        change, divisor = 2 * ((0 if bit else 65535) - node.zero), 2 * node.seen + 3
        node.zero += change // divisor if change >= 0 else -(-change // divisor)
        while self.range < 2**24:
            self.range, self.code = self.range << 8, self.code << 8 | self.next()
        return bit

    def byte(self, tree):
        number = 1
        for _ in range(8):
            number = number << 1 | self.bit(tree[number])
        return number - 256

    def run(self, length, stride, end):
        """The bytes of a run, of which `end` is the last place."""
        begin = len(self.out)
        length = min(length, end - begin)
        if not length:
            return
        high = self.bit(self.ways[1])
        way = high << 1 | self.bit(self.ways[2 + high])
        if way == 0:
            self.out += bytes([self.byte(self.same)]) * length
            return
        trees = {}
        for i in range(length):
            before = self.out[begin + i - stride] if i >= stride else 0
            tree = trees.setdefault(before if way == 2 else i % stride, Tree())
            self.out.append((self.byte(tree) + (before if way == 3 else 0)) % 256)

    def columns(self, end):
        at = len(self.out)
        self.run(16, 4, end)
        count, _, vtables, kinds = struct.unpack_from("<IIII", self.out, at)
        self.run(16 * kinds, 16, end)
        self.run(vtables, 2, end)
        self.run(count, 1, end)
        for i in range(kinds):
            _, _, lanes, flags, inline, count, tails = struct.unpack_from("<BBBBIII", self.out, at + 16 + 16 * i)
            for _ in range(4 + inline + (4 if flags & 1 else 0)):
                self.run(count, 1, end)
            for _ in range(lanes):
                self.run(tails // lanes, 1, end)
            if flags & 2:
                self.run(tails // 4, 1, end)

    def frames(self):
        """The (kind, payload) of each frame."""
        while len(self.out) < self.size:
            at = len(self.out) + 8
            self.run(8, 4, self.size)
            kind, length = struct.unpack_from("<II", self.out, at - 8)
            if kind in (SEGMENT, PENDING):
                self.columns(at + length)
            self.run(length, 16 if kind == CHECKPOINTS else 8, at + length)
            payload = bytes(self.out[at : at + length])
            self.out += bytes(-length % 8)
            yield kind, segment_of(payload) if kind in OF_SEGMENTS else payload
