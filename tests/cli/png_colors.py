"""png_colors.py FILE.png [RRGGBB..]: width, height, number of colours, and how many pixels have each given colour."""
import struct
import sys
import zlib


def pixels(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, packed, palette = 8, b"", b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        at += size + 12
        if kind == b"IHDR":
            width, height, depth, colour, _, _, lace = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and lace == 0, "depth %d" % depth
        elif kind == b"PLTE":
            palette = body
        elif kind == b"IDAT":
            packed += body
    n = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    raw, before, rows = zlib.decompress(packed), bytearray(width * n), []
    for y in range(height):
        start = y * (width * n + 1)
        filt, line = raw[start], bytearray(raw[start + 1:start + 1 + width * n])
        for i in range(width * n if filt else 0):
            a, b, c = (line[i - n] if i >= n else 0), before[i], (before[i - n] if i >= n else 0)
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[filt]) & 255
        rows.append(line)
        before = line
    count = {}
    for line in rows:
        for i in range(0, width * n, n):
            v = bytes(line[i:i + n])
            count[v] = count.get(v, 0) + 1
    colours = {}
    for v, k in count.items():
        rgb = palette[3 * v[0]:3 * v[0] + 3] if colour == 3 else v[:3] if n >= 3 else v[:1] * 3
        colours[rgb.hex()] = colours.get(rgb.hex(), 0) + k
    return width, height, colours


w, h, colours = pixels(open(sys.argv[1], "rb").read())
print(w, h, len(colours), *(colours.get(c, 0) for c in sys.argv[2:]))
if len(sys.argv) == 2:
    for c, k in sorted(colours.items(), key=lambda x: -x[1])[:12]:
        print(c, k)
