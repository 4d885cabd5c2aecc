"""What people enter while they read: answers asked by hand, labels of answers, labels of properties.

database.py    one SQLite file, durable at every step, shared by any number of people and processes
lending.py     an item is lent to one person for some minutes, so that no two do the same work
asking.py      one question at a time of a run that is asked by hand
sampling.py    a sample of a run's answers, drawn by verdict
validation.py  two people label it apart; differences are resolved
verified.py    what the labels say of the judge, weighted back to the run
properties.py  labels, antonyms and translations of properties, by several people
tables.py      properties from CSV files, and back
"""
