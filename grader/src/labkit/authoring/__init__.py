"""From a lab's source to its notebooks."""
