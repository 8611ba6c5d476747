"""All cases."""

import cases_events  # noqa: F401
import cases_fields  # noqa: F401
import cases_turns  # noqa: F401
import cases_types  # noqa: F401
from case import CASES  # noqa: F401
