"""Runs the program as several ranks, without MPI: processes with a socket to each
other (src/base/ranks/carrier_sockets.h)."""

import os
import socket
import subprocess
import time


def start(count, words, environment=None, **settings):
    """Processes, rank 0 first, with what they say piped; 'words' is a command line,
    or one for each, and so is 'environment'."""
    lines = [[None] * count for _ in range(count)]
    for a in range(count):
        for b in range(a):
            lines[a][b], lines[b][a] = socket.socketpair()
    ranks = []
    for own in range(count):
        mine = [line.fileno() for line in lines[own] if line]
        names = ",".join(str(line.fileno()) if line else "-" for line in lines[own])
        ranks.append(subprocess.Popen(
            words if isinstance(words[0], str) else words[own], pass_fds=mine, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **(environment[own] if isinstance(environment, list)
                                  else environment or {}),
                 "NUT_RANKS_SOCKETS": f"{own}:{names}"}, **settings))
    for row in lines:
        for line in row:
            if line:
                line.close()
    return ranks


def finish(ranks, seconds):
    """Waits; the results of all as (status, output, errors).  Whoever is not done
    in time is killed, and has the status None."""
    end = time.monotonic() + seconds
    results = []
    for rank in ranks:
        try:
            out, errors = rank.communicate(timeout=max(0.1, end - time.monotonic()))
            results.append((rank.returncode, out, errors))
        except subprocess.TimeoutExpired:
            rank.kill()
            out, errors = rank.communicate()
            results.append((None, out, errors))
    return results


def run(count, words, environment=None, seconds=60, **settings):
    return finish(start(count, words, environment, **settings), seconds)
