"""The report as a page: HTML, style sheet, pictures. Nothing here can change a number."""
