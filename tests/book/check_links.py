"""Every link, picture, style and script of a built site leads to a file that is there, and to a place that the page has.

    python3 check_links.py FOLDER
"""
import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places.update(value for key in ("id", "name") if (value := values.get(key)))
        if tag != "base":
            self.links.extend(value for key in ("href", "src") if (value := values.get(key)))


def main(site):
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(site) for name in names if name.endswith(".html")]
    pages = {os.path.realpath(path): Page(path) for path in paths}
    wrong, checked = [], 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            # The page for what is not found knows only where the site is published.
            if parts.scheme or parts.netloc or os.path.basename(path) == "404.html":
                continue
            checked += 1
            target = os.path.realpath(os.path.join(os.path.dirname(path), unquote(parts.path))) if parts.path else path
            if not os.path.exists(target):
                wrong.append(f"{os.path.relpath(path, site)}: {link}: no such file")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                wrong.append(f"{os.path.relpath(path, site)}: {link}: no such place")
    print("\n".join(wrong))
    print(f"{checked} links of {len(pages)} pages were checked, {len(wrong)} are broken.")
    return 1 if wrong or checked < 1000 else 0


sys.exit(main(sys.argv[1]))
