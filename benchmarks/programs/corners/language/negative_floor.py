def main():
    return [-7 // 2, -7 % 2, 7 // -2, 7 % -2, -7 // -2, -7 % -2, divmod(-17, 5), divmod(17, -5)]
