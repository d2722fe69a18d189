def main():
    log = []
    def t(v, name):
        log.append(name)
        return v
    r = t(0, 'a') and t(1, 'b') or t(2, 'c')
    return r, log
