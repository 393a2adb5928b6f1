"""What can be built: one function for each subject, in metres, found by name in `registry`."""
