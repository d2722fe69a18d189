"""This file is slices and `del` of an item, for containers of any type."""


def get_slice(items, start, stop, step):
    """Take a slice: `items[start:stop:step]`."""
    kind = type(items)
    if kind is str:
        result = str_slice(items, start, stop, step)
        return result
    if kind is list:
        result = list_slice(items, start, stop, step)
        return result
    if kind is not tuple:
        return items[start:stop:step]
    result = tuple_slice(items, start, stop, step)
    return result


def set_slice(items, start, stop, step, values):
    """Put values in place of a slice: `items[start:stop:step] = values`."""
    kind = type(items)
    if kind is not list:
        items[start:stop:step] = values
        return
    list_set_slice(items, start, stop, step, values)


def del_slice(items, start, stop, step):
    """Take off a slice: `del items[start:stop:step]`."""
    kind = type(items)
    if kind is not list:
        del items[start:stop:step]
        return
    list_del_slice(items, start, stop, step)


def del_item(items, index):
    """Take off an item or a key: `del items[index]`."""
    kind = type(items)
    if kind is not list:
        del items[index]
        return
    list_del_item(items, index)
