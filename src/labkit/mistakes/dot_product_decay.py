"""The mistakes of lab 04, dot-product decay."""
