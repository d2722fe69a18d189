def main():
    log = []
    for x in ['1', 'a', '3']:
        try:
            y = int(x)
        except ValueError:
            log.append('bad ' + x)
        else:
            log.append(y)
        finally:
            log.append('end')
    return log
