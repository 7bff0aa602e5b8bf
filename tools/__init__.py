"""Scripts for the checkout: generated schemas, reference pages and pictures, the test runner and measurements."""
