"""Open files: every connection is one."""

import resource


def raised_file_limit(wanted: int) -> int:
    """How many files this process, and those it starts, may have open: `wanted`, or as many as are allowed.

    Source: getrlimit(2), RLIMIT_NOFILE.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return max(soft, wanted) if soft == resource.RLIM_INFINITY else soft
