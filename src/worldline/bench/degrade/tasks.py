"""This file is our own small tasks to degrade: loops and branches over numbers, texts, lists and dicts.

They were written for this purpose and are of no benchmark. Each has a program that is right by definition and
six inputs.
"""

from textwrap import dedent

from worldline.bench.degrade.model import Task


def _task(source: str, *arguments: str) -> Task:
    """A task from its program and the arguments of its inputs."""
    text = dedent(source).strip() + "\n"
    name = text.removeprefix("def ").partition("(")[0]
    return Task(name, text, tuple(f"{name}({each})" for each in arguments))


NUMBERS = (
    _task(
        """
        def ladder(height, stride, slip):
            level = 0
            days = 0
            while level < height:
                level = level + stride
                days += 1
                if level < height:
                    level = level - slip
            return days
        """,
        *("10, 3, 2", "7, 4, 1", "0, 1, 0", "12, 5, 3", "9, 9, 4", "15, 6, 2"),
    ),
    _task(
        """
        def coins(amount):
            total = 0
            for coin in (25, 10, 5, 1):
                while amount >= coin:
                    amount -= coin
                    total += 1
            return total
        """,
        *("0", "6", "30", "41", "67", "99"),
    ),
    _task(
        """
        def bits(number):
            longest = 0
            run = 0
            while number > 0:
                if number % 2 == 1:
                    run += 1
                    longest = max(longest, run)
                else:
                    run = 0
                number = number // 2
            return longest
        """,
        *("0", "5", "7", "110", "236", "1023"),
    ),
    _task(
        """
        def divisors(limit):
            best = 1
            most = 0
            for number in range(1, limit + 1):
                count = 0
                for divisor in range(1, number + 1):
                    if number % divisor == 0:
                        count += 1
                if count > most:
                    most = count
                    best = number
            return best, most
        """,
        *("1", "2", "5", "6", "9", "12"),
    ),
    _task(
        """
        def meeting(first, second):
            steps = 0
            while first != second and steps < 30:
                if first > second:
                    first -= second
                else:
                    second -= first
                steps += 1
            return first, steps
        """,
        *("4, 4", "6, 4", "15, 10", "21, 14", "8, 5", "30, 12"),
    ),
)

TEXTS = (
    _task(
        """
        def squeeze(text):
            result = ""
            last = ""
            for letter in text:
                if letter != last:
                    result += letter
                last = letter
            return result
        """,
        *("''", "'aabbb'", "'abc'", "'  two  gaps '", "'mississippi'", "'zzzz'"),
    ),
    _task(
        """
        def caesar(text, shift):
            coded = ""
            for letter in text:
                if "a" <= letter <= "z":
                    place = (ord(letter) - 97 + shift) % 26
                    coded += chr(97 + place)
                else:
                    coded += letter
            return coded
        """,
        *("'abc', 1", "'xyz', 3", "'', 5", "'hi there', 13", "'no-op', 0", "'wrap', -4"),
    ),
    _task(
        """
        def initials(name):
            short = ""
            for word in name.split():
                first = word[0]
                if first.isupper():
                    short += first + "."
            return short
        """,
        *(
            "'Ada Lovelace'",
            "'van Gogh'",
            "''",
            "'Grace Brewster Murray Hopper'",
            "'x'",
            "'Old MacDonald had'",
        ),
    ),
    _task(
        """
        def balanced(text):
            depth = 0
            deepest = 0
            for letter in text:
                if letter == "(":
                    depth += 1
                elif letter == ")":
                    depth -= 1
                if depth < 0:
                    return -1
                deepest = max(deepest, depth)
            return deepest if depth == 0 else -1
        """,
        *("''", "'()'", "'(()())'", "')('", "'((a)b)(c)'", "'(()'"),
    ),
    _task(
        """
        def packed(text):
            result = ""
            at = 0
            while at < len(text):
                end = at
                while end < len(text) and text[end] == text[at]:
                    end += 1
                result += text[at] + str(end - at)
                at = end
            return result
        """,
        *("''", "'a'", "'aaab'", "'xyxy'", "'wwwwbbw'", "'1112'"),
    ),
    _task(
        """
        def title(text):
            words = []
            for word in text.split(" "):
                if len(word) > 2:
                    word = word[0].upper() + word[1:]
                words.append(word)
            line = " ".join(words)
            return line
        """,
        *("'the end of it'", "'a'", "'war and peace'", "'go on'", "'one two three'", "'an old hat'"),
    ),
    _task(
        """
        def vowels(text):
            score = 0
            for letter in text.lower():
                if letter in "aeiou":
                    score += 2
                elif letter == "y":
                    score += 1
            return score > len(text), score
        """,
        *("''", "'sky'", "'Area'", "'rhythm'", "'You and I'", "'queue'"),
    ),
)

LISTS = (
    _task(
        """
        def second(values):
            top = None
            runner = None
            for value in values:
                if top is None or value > top:
                    runner = top
                    top = value
                elif value < top and (runner is None or value > runner):
                    runner = value
            return runner
        """,
        *("[]", "[3]", "[1, 2, 3]", "[5, 5, 4]", "[2, 9, 7, 9]", "[8, 1, 6, 3]"),
    ),
    _task(
        """
        def bubble(values):
            items = list(values)
            swaps = 0
            for end in range(len(items) - 1, 0, -1):
                for at in range(end):
                    if items[at] > items[at + 1]:
                        items[at], items[at + 1] = items[at + 1], items[at]
                        swaps += 1
            return items, swaps
        """,
        *("[]", "[1]", "[2, 1]", "[3, 1, 2]", "[1, 2, 3, 4]", "[4, 3, 2, 1]"),
    ),
    _task(
        """
        def find(values, wanted):
            low = 0
            high = len(values)
            while low < high:
                middle = (low + high) // 2
                if values[middle] < wanted:
                    low = middle + 1
                else:
                    high = middle
            return low
        """,
        *("[], 1", "[5], 5", "[1, 3, 5, 7], 4", "[1, 3, 5, 7], 7", "[2, 4, 6, 8, 10], 1", "[1, 2, 2, 3], 2"),
    ),
    _task(
        """
        def merged(left, right):
            result = []
            i = j = 0
            while i < len(left) and j < len(right):
                if left[i] <= right[j]:
                    result.append(left[i])
                    i += 1
                else:
                    result.append(right[j])
                    j += 1
            result += left[i:] + right[j:]
            return result
        """,
        *("[], []", "[1], [2]", "[1, 4], [2, 3]", "[5, 6], [1]", "[1, 2, 3], []", "[1, 3, 5], [2, 4]"),
    ),
    _task(
        """
        def peaks(values):
            found = []
            for at in range(1, len(values) - 1):
                is_peak = values[at - 1] < values[at] > values[at + 1]
                if is_peak:
                    found.append(at)
            return found
        """,
        *("[]", "[1, 2, 1]", "[3, 1, 3, 1, 3]", "[1, 5, 2, 6, 0]", "[1, 1, 1]", "[9, 4, 7, 2]"),
    ),
)

DICTS = (
    _task(
        """
        def tally(words):
            counts = {}
            for word in words:
                if word not in counts:
                    counts[word] = 0
                counts[word] += 1
            best = ""
            for word, count in counts.items():
                if best == "" or count > counts[best]:
                    best = word
            return best, counts
        """,
        *("[]", "['a']", "['a', 'b', 'b']", "['x', 'y', 'x', 'z']", "['no', 'no', 'yes']", "['p', 'q', 'r']"),
    ),
    _task(
        """
        def inverted(table):
            result = {}
            for key, value in table.items():
                if value in result:
                    result[value] = result[value] + [key]
                else:
                    result[value] = [key]
            return result
        """,
        "{}",
        "{'a': 1}",
        "{'a': 1, 'b': 1}",
        "{'x': 'y', 'z': 'y', 'w': 'v'}",
        "{1: 2, 2: 1, 3: 2}",
        "{'q': 0, 'r': 3}",
    ),
    _task(
        """
        def ledger(entries):
            balance = {}
            refused = 0
            for name, amount in entries:
                after = balance.get(name, 0) + amount
                if after < 0:
                    refused += 1
                    continue
                balance[name] = after
            return balance, refused
        """,
        "[]",
        "[('ann', 5)]",
        "[('ann', 5), ('bob', -1)]",
        "[('ann', 5), ('ann', -3), ('ann', -3)]",
        "[('a', 1), ('b', 2), ('a', 3), ('b', -2)]",
        "[('x', -1), ('x', 2), ('x', -2)]",
    ),
)

TASKS: tuple[Task, ...] = (*NUMBERS, *TEXTS, *LISTS, *DICTS)
