"""How fast and at what cost phase 1 reads many sources, beside a script, from one server on loopback in one run."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
ARTICLES = 10


def measured(command, **options):
    """Runs a command; gives its output, wall seconds, CPU seconds and peak memory in MiB."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} ended with {process.returncode}: {output[:400]}")
    return output, time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def sources(count, port):
    return [f"http://127.1.{number // 250}.{number % 250 + 1}:{port}/feed.xml" for number in range(count)]


def ours(binary, urls, folder, name):
    """A first run into a new store, and a second one in which nothing is new."""
    listed = folder / f"{name}.toml"
    listed.write_text("sources = " + json.dumps(urls))
    store = folder / f"{name}.db"
    command = [binary, "run", "--sources", listed, "--store", f"sqlite:{store}", "--allow", "127.0.0.0/8", "--refresh", "--json"]
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}
    first = measured(command, env=environment)
    second = measured(command, env=environment)
    kept, again = json.loads(first[0]), json.loads(second[0])
    assert kept["counts"]["kept"] == len(urls) * ARTICLES, kept["counts"]
    assert again["counts"]["links"] == 0 and all(source.get("unchanged") for source in again["sources"]), again["counts"]
    for ending in ("", "-wal", "-shm"):
        Path(f"{store}{ending}").unlink(missing_ok=True)
    return first, second


def best(runs):
    return min(runs, key=lambda run: run[2])


def show(name, run, articles):
    _, wall, cpu, peak = run
    print(f"  {name:<22} {60 / wall:>6.1f} runs/min  {cpu / articles * 1000:>7.2f} s CPU for 1,000 articles  {peak:>6.0f} MiB")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--bin", default="target/release/headwater")
    arguments.add_argument("--sources", type=int, default=200)
    arguments.add_argument("--rounds", type=int, default=3)
    options = arguments.parse_args()
    server = subprocess.Popen([sys.executable, HERE / "serve.py"], stdout=subprocess.PIPE)
    try:
        port = int(server.stdout.readline())
        with tempfile.TemporaryDirectory() as folder:
            compare(options, port, Path(folder))
    finally:
        server.terminate()
        server.wait()


def compare(options, port, folder):
    urls = sources(options.sources, port)
    articles = len(urls) * ARTICLES
    listed = folder / "urls"
    listed.write_text("\n".join(urls))
    firsts, seconds, peers = [], [], []
    ours(options.bin, urls, folder, "warm")  # the server makes its pages
    for turn in range(options.rounds):
        first, second = ours(options.bin, urls, folder, f"turn{turn}")
        firsts.append(first)
        seconds.append(second)
        peer = measured([sys.executable, HERE / "peer.py", listed])
        assert int(peer[0]) == articles, peer[0]
        peers.append(peer)
    first, second, peer = best(firsts), best(seconds), best(peers)
    print(f"{len(urls)} sources, {articles} articles")
    show("headwater", first, articles)
    show("feedparser+trafilatura", peer, articles)
    print(f"  CPU {peer[2] / first[2]:.1f} x less, memory {first[3] / peer[3]:.2f} x")
    print(f"  a second run with nothing new: {second[2]:.2f} s CPU, {100 * second[2] / first[2]:.1f} % of the first")
    small, _ = ours(options.bin, urls[: max(1, len(urls) // 10)], folder, "small")
    print(f"  ten times the sources: {first[2] / small[2]:.1f} x the CPU, {first[1] / small[1]:.1f} x the time")


if __name__ == "__main__":
    main()
