"""What one would write in an afternoon: every feed with feedparser, every article with trafilatura, in a pool of threads."""

import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import feedparser
import trafilatura


def links(url):
    return [entry.link for entry in feedparser.parse(url).entries]


def read(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        page = answer.read()
    return trafilatura.extract(page.decode("utf-8"), url=url, output_format="markdown")


def main():
    urls = open(sys.argv[1], encoding="utf-8").read().split()
    with ThreadPoolExecutor(16) as pool:
        articles = [link for found in pool.map(links, urls) for link in found]
        texts = list(pool.map(read, articles))
    print(sum(1 for text in texts if text))


if __name__ == "__main__":
    main()
