"""What is committed here is printed: `python -m schema` is `openapi.json`, `python -m schema graphql` is
`schema.graphql`.
"""

import sys

from schema import openapi
from schema.graphql import build

sys.stdout.write(build.printed() if sys.argv[1:] == ["graphql"] else openapi.printed())
