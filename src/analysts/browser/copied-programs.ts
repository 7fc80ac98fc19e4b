export interface CopiedProgram {
  readonly name: string;
  write(address: string, query: string): string;
}

/** Writes the query for other tools. They read the token from the environment, so that no file contains it. */
export const copiedPrograms: readonly CopiedProgram[] = [
  {
    name: 'curl',
    write: (address, query) => `curl ${shell(address)} \\
  -H "Authorization: Bearer $CHARTGRAPH_TOKEN" \\
  -H 'Accept: text/csv' \\
  --data-urlencode ${shell(`query=${query}`)}
`,
  },
  {
    name: 'Python',
    write: (address, query) => `import io
import os

import pandas
import requests

query = """${query.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""
answer = requests.post(
    ${JSON.stringify(address)},
    data={"query": query},
    headers={"Authorization": "Bearer " + os.environ["CHARTGRAPH_TOKEN"], "Accept": "text/csv"},
)
answer.raise_for_status()
table = pandas.read_csv(io.StringIO(answer.text))
`,
  },
  {
    name: 'R',
    write: (address, query) => `library(httr2)

query <- "${query.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"
answer <- request(${JSON.stringify(address)}) |>
  req_auth_bearer_token(Sys.getenv("CHARTGRAPH_TOKEN")) |>
  req_headers(Accept = "text/csv") |>
  req_body_form(query = query) |>
  req_perform()
table <- read.csv(text = resp_body_string(answer))
`,
  },
];

const shell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
