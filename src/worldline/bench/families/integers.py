"""This file is functions from a whole number to a whole number, which are read as text."""


def reverse_digits(value):
    sign = -1 if value < 0 else 1
    return sign * int(str(abs(value))[::-1])


def sum_digits(value):
    number = abs(value)
    total = 0
    while number > 0:
        total += number % 10
        number //= 10
    return total


def multiply_digits(value):
    product = 1
    for digit in str(abs(value)):
        if digit != "0":
            product *= int(digit)
    return product


def alternate_digit_sum(value):
    total = 0
    sign = 1
    for digit in str(abs(value)):
        total += sign * int(digit)
        sign = -sign
    return total


def weighted_digit_sum(value):
    digits = str(abs(value))
    return sum(place * int(digit) for place, digit in enumerate(digits, 1))


def digital_root(value):
    if 0 <= value < 10:
        return value
    return digital_root(sum(int(digit) for digit in str(abs(value))))


def sort_digits(value):
    return int("".join(sorted(str(abs(value)))))


def complement_digits(value):
    result = 0
    for digit in str(abs(value)):
        result = result * 10 + 9 - int(digit)
    return result


def rotate_digits(value):
    digits = str(abs(value))
    return int(digits[1:] + digits[0])


def swap_outer_digits(value):
    digits = str(abs(value))
    if len(digits) < 2:
        return value + 10
    return int(digits[-1] + digits[1:-1] + digits[0])


def keep_odd_digits(value):
    kept = [digit for digit in str(abs(value)) if int(digit) % 2 == 1]
    return int("".join(kept) or "0")


def multiply_halves(value):
    digits = str(abs(value))
    middle = len(digits) // 2
    return int(digits[:middle] or "1") * int(digits[middle:])


def kaprekar_step(value):
    digits = sorted(str(abs(value)))
    small = int("".join(digits))
    large = int("".join(digits[::-1]))
    return large - small


def add_reversed(value):
    return value + int(str(abs(value))[::-1])


def append_seven(value):
    return value * 10 + 7


def drop_last_digit(value):
    return value // 10


def double_plus_one(value):
    return 2 * value + 1


def distance_to_thousand(value):
    return abs(1000 - value)


def square_modulo(value):
    return value * value % 10007


def fifth_power_modulo(value):
    result = 1
    for _ in range(5):
        result = result * value % 997
    return result


def three_collatz_steps(value):
    for _ in range(3):
        if value % 2 == 0:
            value //= 2
        else:
            value = 3 * value + 1
    return value


def collatz_length(value):
    number = abs(value) % 50 + 1
    steps = 0
    while number != 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        steps += 1
    return steps


def triangle_number(value):
    number = abs(value) % 1000
    return number * (number + 1) // 2


def fibonacci(value):
    previous, current = 0, 1
    for _ in range(abs(value) % 20):
        previous, current = current, previous + current
    return previous


def divisor_with_360(value):
    first, second = abs(value), 360
    while second:
        first, second = second, first % second
    return first


def triple_odd_part(value):
    if value == 0 or value % 2 == 1:
        return 3 * value
    return triple_odd_part(value // 2)


def largest_small_divisor(value):
    number = abs(value)
    for divisor in range(20, 1, -1):
        if number % divisor == 0:
            return divisor
    return 1


def square_below(value):
    root = int(abs(value) ** 0.5)
    return root * root


def count_one_bits(value):
    return bin(abs(value)).count("1")


def flip_low_bits(value):
    return value ^ 85


def sum_of_halvings(value):
    if -1 <= value <= 1:
        return value
    return value + sum_of_halvings(value // 2)


def base_three(value):
    number = abs(value) % 100
    digits = ""
    while number > 0:
        digits = str(number % 3) + digits
        number //= 3
    return int(digits or "0")


def negate_or_add(value):
    if value % 3 == 0:
        return -value
    if value > 100:
        return value - 100
    return value + 25


def sum_small_multiples(value):
    limit = abs(value) % 60
    total = 0
    for number in range(limit):
        if number % 3 == 0 or number % 5 == 0:
            total += number
    return total
