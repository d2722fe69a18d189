def main():
    def ok(s):
        st = []
        pairs = {')': '(', ']': '['}
        for ch in s:
            if ch in '([':
                st.append(ch)
            elif not st or st.pop() != pairs[ch]:
                return False
        return not st
    return [ok('([])'), ok('([)]'), ok('('), ok(''), ok(')')]
