"""Asking by hand, for chatbots without an API: questions go out as sheets, people fill them, answers come back.

questions.py   a run's unanswered questions -> sheets, in small batches, dealt to several people
answers.py     filled sheets -> the run's store; what is there is never replaced
sheet.py       what a sheet is; csvsheet.py and xlsxsheet.py, its two formats
"""
