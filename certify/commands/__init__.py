"""The commands: each module runs one, prints its answer and returns its exit status."""
