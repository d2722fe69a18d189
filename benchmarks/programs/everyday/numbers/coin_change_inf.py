def change(coins, amount):
    dp = [0] + [amount + 1] * amount
    for c in coins:
        for a in range(c, amount + 1):
            dp[a] = min(dp[a], dp[a - c] + 1)
    return dp[amount] if dp[amount] <= amount else -1


def main():
    return change([1, 3, 4], 6)
