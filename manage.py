#!/usr/bin/env python
"""Kenoweb's command line: `serve`, `memory` and everything Django brings."""

import gc
import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    gc.disable()  # nothing that is imported is garbage; `MemoryConfig.ready` goes on
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kenoweb.settings")
    execute_from_command_line(sys.argv)
