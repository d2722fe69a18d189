def insert(root, v):
    if root is None:
        return {"v": v, "l": None, "r": None}
    side = "l" if v < root["v"] else "r"
    root[side] = insert(root[side], v)
    return root


def inorder(root):
    return inorder(root["l"]) + [root["v"]] + inorder(root["r"]) if root else []


def main():
    root = None
    for v in [5, 2, 8, 1]:
        root = insert(root, v)
    return inorder(root)
