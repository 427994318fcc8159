"""From rows to words, from one question to the next: prose with checked citations, follow-ups, labels."""
