def main():
    x = 5
    del x
    try:
        return x
    except UnboundLocalError:
        return 'u'
