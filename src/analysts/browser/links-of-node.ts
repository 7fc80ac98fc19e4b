/**
 * Writes the query for all that is said about a node: the whole graph of a resource, with its inner nodes, and the links
 * that lead to it and from it.
 */
export function linksOfNode(iri: string): string {
  return `SELECT DISTINCT ?from ?property ?to {
  { GRAPH <${iri}> { ?from ?property ?to } }
  UNION { <${iri}> ?property ?to BIND (<${iri}> AS ?from) }
  UNION { ?from ?property <${iri}> BIND (<${iri}> AS ?to) }
}
ORDER BY DESC(?from = <${iri}>) ?from ?property
LIMIT 1000`;
}
