"""Results as people and programs want them."""
