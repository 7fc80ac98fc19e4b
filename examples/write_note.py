"""Reads the problems of a record, and posts a note that counts them.

pip install requests-oauthlib
chartgraph token issue --app APP --user USER --record RECORD > token.json
python3 write_note.py http://localhost:7105 token.json
"""

import datetime
import json
import sys

from requests_oauthlib import OAuth1Session

base, token_file = sys.argv[1:]
with open(token_file) as file:
    token = json.load(file)
session = OAuth1Session(
    token["consumer_key"], token["consumer_secret"], token["oauth_token"], token["oauth_token_secret"]
)
record = f"{base}/records/{token['record_id']}"

answer = session.get(f"{record}/problems/", params={"limit": 100}, headers={"Accept": "application/ld+json"})
answer.raise_for_status()
problems = [node for node in answer.json().get("@graph", []) if node.get("@type") == "Problem"]

# The names are those of the container's JSON-LD context: GET /context.jsonld lists them.
note = {
    "@context": f"{base}/context.jsonld",
    "@type": "ClinicalNote",
    "dcterms__title": "Problem list",
    "dcterms__date": datetime.date.today().isoformat(),
    "dcterms__format": {
        "@id": "http://purl.org/NET/mediatypes/text/plain",
        "@type": "dcterms__MediaTypeOrExtent",
        "rdfs__label": "text/plain",
    },
    "resource": {
        "@type": "Resource",
        "content": {"@type": "Content", "encoding": "UTF-8", "value": f"{len(problems)} problems are listed."},
    },
}
answer = session.post(
    f"{record}/clinical_notes/", data=json.dumps(note), headers={"Content-Type": "application/ld+json"}
)
answer.raise_for_status()
print(f"{len(problems)} problems; the note is {answer.headers['Location']}")
