"""Exact sums against Python's fractions.

usage: check_sums.py SUM_LINES SEED LINES

Random lines of numbers go through the program SUM_LINES; what it writes is compared with the sums
as fractions, rounded here.
"""

from __future__ import annotations

import itertools
import math
import random
import subprocess
import sys
from fractions import Fraction

LINES_AT_A_TIME = 2000


def rounded(value: Fraction, digits: int, least: int, beyond: int) -> float:
    """The nearest number of so many binary digits, even where two are; the last digit is worth
    2^least at least, and from 2^beyond on everything is infinite."""
    if value == 0:
        return 0.0
    size = abs(value)
    leading = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** leading:
        leading -= 1
    unit = Fraction(2) ** max(leading - digits + 1, least)
    nearest = round(size / unit) * unit  # of two, round() takes the even one
    result = math.inf if nearest >= Fraction(2) ** beyond else float(nearest)
    return math.copysign(result, -1 if value < 0 else 1)


def number(draw: random.Random, least: int, greatest: int) -> float:
    value = math.ldexp(draw.getrandbits(53), draw.randint(least, greatest) - 53)
    return draw.choice((-value, value))


def line(draw: random.Random) -> list[float]:
    """Numbers of a range of exponents, some taken away again, some of half a unit of others."""
    least = draw.randint(-1073, 1020)
    greatest = min(1023, least + draw.choice((0, 5, 60, 300, 2100)))
    terms = [number(draw, least, greatest) for _ in range(draw.choice((1, 2, 3, 8, 40, 200)))]
    terms += [-term for term in terms if draw.random() < 0.3]
    terms += [math.ldexp(term, -53) for term in terms[:3] if draw.random() < 0.3]
    draw.shuffle(terms)
    return terms


def whole(value: float) -> int:
    """`value` in units of 2^-1074, of which every double is a whole number."""
    numerator, denominator = value.as_integer_ratio()
    return numerator << (1075 - denominator.bit_length())


def check(program: str, lines: list[list[float]]) -> None:
    text = "\n".join(" ".join(term.hex() for term in terms) for terms in lines)
    told = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    answers = told.stdout.splitlines()
    assert len(answers) == len(lines), f"{len(answers)} answers to {len(lines)} lines"
    for terms, answer in zip(lines, answers, strict=True):
        numbers = [whole(term) for term in terms]
        total = Fraction(sum(numbers), 2**1074)
        products = sum(one * other for one, other in itertools.pairwise(numbers))
        expected = [
            rounded(total, 53, -1074, 1024),
            rounded(total, 24, -149, 128),
            rounded(Fraction(products, 2**2148), 53, -1074, 1024),
        ]
        expected.append(expected[0])
        found = [float.fromhex(word) for word in answer.split()]
        assert found == expected, f"{terms}: expected {expected}, found {found}"


def main() -> None:
    program, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    draw = random.Random(seed)
    for first in range(0, count, LINES_AT_A_TIME):
        now = min(LINES_AT_A_TIME, count - first)
        check(program, [line(draw) for _ in range(now)])
    print(f"{count} lines are right")


if __name__ == "__main__":
    main()
