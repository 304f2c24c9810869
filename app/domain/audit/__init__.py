"""What is written down of calls and of who may make them, in lines that hold each other."""
