"""Faces: packages that translate the spellings of other libraries onto lanewise. Nothing is implemented here."""
