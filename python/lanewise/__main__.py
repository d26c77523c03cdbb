"""`python -m lanewise`."""

import sys

from lanewise.cli import main

if __name__ == "__main__":
    sys.exit(main())
