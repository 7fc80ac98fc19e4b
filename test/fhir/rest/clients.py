"""Reads a patient, searches, pages and gets everything with the client named first. The token is in FHIR_TOKEN."""

import json
import os
import sys

name, url, patient = sys.argv[1:]
token = os.environ["FHIR_TOKEN"]


def with_fhirclient():
    from fhirclient import client
    from fhirclient._utils import iter_pages
    from fhirclient.models.bundle import Bundle
    from fhirclient.models.observation import Observation
    from fhirclient.models.patient import Patient

    server = client.FHIRClient(
        state={
            "app_id": "a test",
            "server": {"base_uri": url + "/", "auth_type": "oauth2", "auth": {"access_token": token}},
        }
    ).server
    search = Observation.where({"patient": patient, "_count": "5"})
    pages = [len(page.entry or []) for page in search.perform_iter(server)]
    first = Bundle(server.request_json(f"Patient/{patient}/$everything"))
    everything = sum(len(page.entry or []) for page in iter_pages(first, server))
    return Patient.read(patient, server).id, sum(pages), len(pages), everything


def with_fhirpy():
    from fhirpy import SyncFHIRClient

    client = SyncFHIRClient(url, authorization=f"Bearer {token}")
    read = client.reference("Patient", patient).to_resource()
    search = client.resources("Observation").search(patient=patient).limit(5)
    found = search.fetch_all()
    everything = client.execute(f"Patient/{patient}/$everything", method="get")
    return read.id, len(found), -(-len(found) // 5), everything["total"]


patient, found, pages, everything = globals()[f"with_{name}"]()
print(json.dumps({"patient": patient, "found": found, "pages": pages, "everything": everything}))
