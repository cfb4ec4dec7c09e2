"""The mechanisms: each against closed forms, or a second way to the same value."""
