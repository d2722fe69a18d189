def main():
    return (
        "a-b-c".rsplit("-", 1),
        "abc".center(9, "*"),
        "x=1".partition("="),
        "Abc".isalpha(),
        "12".isdigit(),
        "ab\ncd".splitlines(),
        "hello".index("l"),
        "aXbX".rfind("X"),
    )
