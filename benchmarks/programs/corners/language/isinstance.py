def main():
    return [isinstance(True, int), isinstance(1, bool), isinstance('a', (int, str)), isinstance([], list), isinstance(None, type(None))]
