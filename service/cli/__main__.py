"""The command line by `python -m service.cli`."""

from service.cli import main

if __name__ == "__main__":
    main()
