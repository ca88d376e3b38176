"""`python -m schema` prints the OpenAPI document, as it is committed in `schema/openapi.json`."""

import sys

from schema.openapi import printed

sys.stdout.write(printed())
