"""What is committed here is printed: `python -m schema` the OpenAPI document, `python -m schema graphql` the SDL.

They are `schema/openapi.json` and `schema/schema.graphql`.
"""

import sys

from schema import openapi
from schema.graphql import build

sys.stdout.write(build.printed() if sys.argv[1:] == ["graphql"] else openapi.printed())
