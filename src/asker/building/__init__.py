"""Making data sets: mined from published corpora, imported, translated, annotated, reviewed by people.

`sources/` reads corpora, `mining/` makes groups and predicates of them, `writing.py` puts them where the user says;
`importing/` takes published data sets; `translating/` fills a language in; `annotating.py` measures how far people
agree; `review.py` carries what people decided back into the data.
"""
