"""This folder is the model that ships with worldline: typed questions about single statements, and a network.

vocabulary, words, prompts   the tokens; statements and values as tokens
questions, items, lines      what is asked, the right answer, how an answer is read (outcomes)
numbers, columns, paper      arithmetic with every hop written down; what is long, in several questions
reading, effects             from a statement and its values to a question; what an answer does to them
state, objects, prompt_state the frames and values of a program; the note; what a prompt shows of them
program, calls, failures     the bookkeeping: lines, calls, exceptions
simulate, model              one step; the model behind the protocol of all models
network                      the network in numpy
"""
