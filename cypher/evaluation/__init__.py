"""How good a question service is: metrics over rows and queries, and the page that shows them."""
