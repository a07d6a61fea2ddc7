"""Which pages and feeds the bench reads: sites with articles of real size, the same for everybody."""

import asyncio
import hashlib
import random
import sys

WORDS = [
    "river", "mill", "winter", "letter", "engine", "garden", "market", "bridge", "signal", "harbour", "library", "copper",
    "weather", "station", "council", "picture", "journey", "teacher", "village", "history", "science", "machine", "kitchen",
    "measure", "problem", "morning", "country", "company", "society", "quality", "reason", "number", "people", "water",
    "answer", "paper", "music", "night", "window", "table", "forest", "island", "summer", "street", "minute", "colour",
    "the", "of", "and", "to", "in", "that", "it", "was", "for", "on", "with", "as", "had", "but", "from", "they", "which",
]
ARTICLES = 10


def sentence(chance):
    words = [chance.choice(WORDS) for _ in range(chance.randint(8, 24))]
    return " ".join(words).capitalize() + "."


def paragraph(chance):
    return "<p>" + " ".join(sentence(chance) for _ in range(chance.randint(3, 6))) + "</p>"


def furniture(chance, number):
    """What stands around the text of a page on a real site."""
    menu = "".join(f'<li class="menu-item"><a href="/section/{i}">{chance.choice(WORDS).title()}</a></li>' for i in range(40))
    related = "".join(
        f'<div class="card"><a href="/a/{i}"><img src="/img/{i}.jpg" alt="" loading="lazy"><h4>{sentence(chance)}</h4></a></div>'
        for i in range(24)
    )
    comments = "".join(
        f'<div class="comment"><b>{chance.choice(WORDS)}</b><p>{sentence(chance)}</p></div>' for _ in range(30)
    )
    script = "<script>" + "".join(f"window.q{i}=['{hashlib.sha256(bytes([i, number % 256])).hexdigest()}'];" for i in range(120)) + "</script>"
    return menu, related, comments, script


def article(source, number):
    chance = random.Random(source * 1000 + number)
    title = sentence(chance)[:60]
    menu, related, comments, script = furniture(chance, number)
    text = "".join(paragraph(chance) for _ in range(14))
    style = "<style>" + "".join(f".c{i}{{margin:{i}px;padding:{i}px;color:#{i:06x}}}" for i in range(300)) + "</style>"
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title} | Site {source}</title>'
        f'<meta property="og:title" content="{title}"><meta property="article:published_time" content="2026-05-{number % 28 + 1:02}T08:00:00Z">'
        f'{style}{script}</head><body><header><nav><ul>{menu}</ul></nav></header>'
        f'<main><article><h1>{title}</h1><p class="byline">By A. Writer</p>{text}</article>'
        f'<aside class="related">{related}</aside><section id="comments">{comments}</section></main>'
        f'<footer><ul>{menu}</ul></footer>{script}</body></html>'
    ).encode()


def feed(source, base):
    items = "".join(
        f"<item><title>Story {n} of site {source}</title><link>{base}/a/{n}</link><guid>{base}/a/{n}</guid>"
        f"<pubDate>Fri, {n % 28 + 1:02} May 2026 08:00:00 GMT</pubDate><description>{sentence(random.Random(n))}</description></item>"
        for n in range(ARTICLES)
    )
    return f'<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Site {source}</title><link>{base}/</link>{items}</channel></rss>'.encode()


class Site(asyncio.Protocol):
    """Answers GET over connections that stay open; a feed is 304 to whoever has it."""

    pages = {}

    def connection_made(self, transport):
        self.transport, self.buffer = transport, b""
        self.host = transport.get_extra_info("sockname")[0]

    def data_received(self, data):
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head, self.buffer = self.buffer[:end], self.buffer[end + 4:]
            self.transport.write(self.answer(head))

    def answer(self, head):
        path = head.split(b" ", 2)[1].decode()
        place = (self.host, path)
        if place not in self.pages:
            self.pages[place] = self.make(path)
        kind, body, tag = self.pages[place]
        if tag and tag in head:
            return b"HTTP/1.1 304 -\r\netag: " + tag + b"\r\n\r\n"
        etag = b"etag: " + tag + b"\r\n" if tag else b""
        return b"HTTP/1.1 200 -\r\ncontent-type: %s\r\n%scontent-length: %d\r\n\r\n%s" % (kind, etag, len(body), body)

    def make(self, path):
        _, _, high, low = (int(part) for part in self.host.split("."))
        source = high * 250 + low
        port = self.transport.get_extra_info("sockname")[1]
        if path == "/feed.xml":
            return b"application/rss+xml", feed(source, f"http://{self.host}:{port}"), b'"%d"' % source
        if path.startswith("/a/"):
            return b"text/html; charset=utf-8", article(source, int(path[3:])), None
        return b"text/plain", b"nothing here", None


async def main():
    server = await asyncio.get_running_loop().create_server(Site, "0.0.0.0", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        sys.exit(0)
