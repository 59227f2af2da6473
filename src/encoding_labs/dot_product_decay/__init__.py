"""Lab 04, dot-product decay."""
