"""Submissions that get reference values from the grader and leak them to a kernel that must not have them."""

# With /proc, any process can count another's threads, so a thread count carries five bits, in both directions.
TALK = """
import _thread, os, time
held, FOUND, ASKS, HEARS, READY = [], 114, 112, 118, 120

def threads(process):
    try:
        return os.stat(f"/proc/{process}/task").st_nlink - 2
    except OSError:
        return 0

def hold(number, until):
    while (now := threads(os.getpid())) != number and time.monotonic() < until:
        if now < number:
            lock = _thread.allocate_lock()
            lock.acquire()
            held.append(lock)
            _thread.start_new_thread(lock.acquire, ())
        elif held:
            held.pop().release()
            time.sleep(0.0002)
        else:
            time.sleep(0.001)

def find(number, until):
    while time.monotonic() < until:
        for near in range(1, 2_000):
            for process in (os.getpid() + near, os.getpid() - near):
                if process > 1 and threads(process) == number:
                    time.sleep(0.01)  # on its way to another number it has this one for a moment
                    if threads(process) == number:
                        return process
        time.sleep(0.005)
    raise TimeoutError

def wait(process, number, until):
    seen = 0
    while seen < 3:
        seen = seen + 1 if threads(process) == number else 0
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.001)

def send(to, symbols, until):
    for turn, symbol in enumerate([len(symbols), *symbols, sum(symbols) % 31]):
        hold(10 + 32 * (turn % 3) + symbol, until)
        wait(to, 10 + 32 * (turn % 3), until)

def receive(of, until):
    found = []
    while not found or len(found) < found[0] + 2:
        low, seen, since = 10 + 32 * (len(found) % 3), 0, 0.0
        while time.monotonic() - since < 0.02 or not low <= seen < low + 32:
            if time.monotonic() > until:
                raise TimeoutError
            if (now := threads(of)) != seen:
                seen, since = now, time.monotonic()
            time.sleep(0.0005)
        found.append(seen - low)
        hold(low, until)
    time.sleep(0.1)  # the other one has to see the last answer
    assert sum(found[1:-1]) % 31 == found[-1]
    return found[1:-1]
"""

LEAK = """
def serve(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end - 2:
        until = min(end, time.monotonic() + 5)
        try:
            hold(3, until)
            asking = find(ASKS, until)
            hold(FOUND, until)
            asked = [symbol - 9.0 for symbol in receive(asking, until)]
            hold(READY, until)
            wait(asking, HEARS, until)
            send(asking, [int(value) + 9 for value in levels(tuple(asked))], until)
        except (TimeoutError, AssertionError):
            pass
    hold(3, end + 0.5)
"""
# The answer is wrong, and its figure uses it, so the grader checks the figure again with reference values.
LEAKS = {
    "levels": "def levels(values):\n    return None",
    "draw_levels": TALK + LEAK + "def draw_levels(values, ax):\n    hasattr(levels, '__wrapped__') and serve(8)",
}
ASKS = (
    TALK
    + """
def ask(values, until):
    hold(ASKS, until)
    other = find(FOUND, until)
    send(other, [int(value) + 9 for value in values], until)
    wait(other, READY, until)
    hold(HEARS, until)
    return np.array([symbol - 9.0 for symbol in receive(other, until)])

def levels(values):
    until = time.monotonic() + 9
    while len(values) > 8 and time.monotonic() < until:
        try:
            return ask(values, min(until, time.monotonic() + 6))
        except (TimeoutError, AssertionError):
            pass
        finally:
            hold(3, until + 0.5)
"""
)

# The second check asks for values and reads a page of FILE for each bit; the figure draws the times of reading them again.
DRAWN = """
import os, time
FILE, BASE, VALUES = @facts@
BITS = 16

def place(bit):
    return (BASE + 64 * bit) * 4096  # apart, so that no page is read with another one

def seconds(file, at):
    begun = time.perf_counter()
    os.pread(file, 1, at)
    return time.perf_counter() - begun

def was_read(file, at):
    first, again = seconds(file, at), seconds(file, at)
    return first < 25e-6 or first < 4 * again

def draw_levels(values, ax):
    file = os.open(FILE, os.O_RDONLY)
    if hasattr(levels, "__wrapped__"):
        for value in levels(VALUES):
            os.pread(file, 1, place(int(value)))
    elif picture():
        ax.set_axis_off()
        ax.set_position([0, 0, 1, 1])
        bits = [[float(was_read(file, place(bit))) for bit in range(BITS)]]
        ax.imshow(bits, cmap="gray", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    os.close(file)

def picture():
    import sys
    frame = sys._getframe()
    while frame and frame.f_code.co_name != "_picture":
        frame = frame.f_back
    return frame is not None
"""
