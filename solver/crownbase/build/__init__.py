"""Make a database: plan the slices, solve and write them here, resume, verify."""
