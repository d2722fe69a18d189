"""This folder is the model that ships with worldline: typed questions about single statements, and a network.

vocabulary  the tokens
prompts     values and operands as tokens
numbers     questions about two integers, with every carry written down
items       questions about one container: an item, a key, an edit
atoms       questions about values that are one token each
reading     from a statement and the values of its names to a question
"""
