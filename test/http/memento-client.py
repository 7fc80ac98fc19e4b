"""Asks a container for earlier states as memento_client understands RFC 7089; prints what that found as JSON."""

import json
import sys

from memento_client import MementoClient
from requests_oauthlib import OAuth1Session

given = json.load(sys.stdin)
keys = given["credentials"]
session = OAuth1Session(
    keys["consumerKey"],
    client_secret=keys["consumerSecret"],
    resource_owner_key=keys["token"],
    resource_owner_secret=keys["tokenSecret"],
)
url = given["url"]
asked = given["accept_datetime"]
chosen = session.get(url, headers={"Accept-Datetime": asked})
links = MementoClient.parse_link_header(chosen.headers["Link"])
timemap = MementoClient.get_uri_dt_for_rel(links, ["timemap"])["timemap"]["uri"]
listed = MementoClient.parse_link_header(session.get(timemap).text)
mementos = [uri for uri, link in listed.items() if "memento" in link["rel"]]
print(
    json.dumps(
        {
            "timegate": MementoClient.is_timegate(url, asked, session=session),
            "chosen": MementoClient.is_memento(url, response=chosen),
            "location": chosen.headers["Content-Location"],
            "mementos": mementos,
            "are": [MementoClient.is_memento(uri, response=session.get(uri)) for uri in mementos],
            "present": MementoClient.is_memento(url, response=session.get(url)),
        }
    )
)
