from asker.cli import main

main()
