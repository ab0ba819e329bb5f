"""`bufferize playground`: a static page that runs this package in the browser."""
