"""What is read of a connection before the application sees a request."""
