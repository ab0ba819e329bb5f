"""Where buffers that are alive at known times lie in one piece of memory: plans, and how far from the best they are."""
