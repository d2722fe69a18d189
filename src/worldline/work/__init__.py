"""This folder is long work: keyed items, a store that keeps what is finished, and engines that do them."""
