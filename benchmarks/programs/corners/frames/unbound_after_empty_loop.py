def main():
    for i in []:
        pass
    try:
        return i
    except UnboundLocalError:
        return 'u'
