def main():
    q = "a=1&b=22&c="
    out = {}
    for part in q.split("&"):
        k, v = part.split("=")
        out[k] = int(v) if v else None
    return out
