// Ten queries as analysts ask them, over the layout of the de-identified level; what each asks an engine to do.
const PREFIXES = `PREFIX cg: <https://chartgraph.example.org/terms#>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX sp: <http://smartplatforms.org/terms#>
`;

const bodies = {
  'cohort by a word in a title': `SELECT ?title (COUNT(DISTINCT ?record) AS ?patients) {
    ?s a sp:Problem ; sp:belongsTo ?record ; sp:problemName/dcterms:title ?title
    FILTER (CONTAINS(LCASE(?title), "diabetes")) } GROUP BY ?title`,
  'trend by year': `SELECT ?year (COUNT(*) AS ?n) (AVG(?value) AS ?mean) {
    ?s a sp:LabResult ; dcterms:date ?date ; sp:quantitativeResult/sp:valueAndUnit/cg:number ?value
    BIND (SUBSTR(?date, 1, 4) AS ?year) } GROUP BY ?year`,
  'the ten most frequent': `SELECT ?title (COUNT(*) AS ?n) {
    ?s a sp:Medication ; sp:drugName/dcterms:title ?title } GROUP BY ?title ORDER BY DESC(?n) ?title LIMIT 10`,
  'latest of each test': `SELECT ?record ?code (MAX(?from) AS ?latest) {
    ?s a sp:LabResult ; sp:belongsTo ?record ; sp:labName/sp:code ?code ; dcterms:date ?date .
    ?at rdf:value ?date ; cg:earliest ?from } GROUP BY ?record ?code`,
  'scan of classes': 'SELECT ?class (COUNT(*) AS ?n) { ?s a ?class } GROUP BY ?class',
  'regular expression': `SELECT (COUNT(*) AS ?n) { ?s dcterms:title ?title FILTER (REGEX(?title, "^.*(itis|osis)\\\\b", "i")) }`,
  'path of broader codes': `SELECT ?above (COUNT(DISTINCT ?record) AS ?patients) {
    ?s a sp:Problem ; sp:belongsTo ?record ; sp:problemName/sp:code/skos:broader* ?above } GROUP BY ?above`,
  'problem without drug, NOT EXISTS': `SELECT (COUNT(DISTINCT ?record) AS ?n) {
    ?s a sp:Problem ; sp:belongsTo ?record FILTER NOT EXISTS { ?m a sp:Medication ; sp:belongsTo ?record } }`,
  'problem without drug, MINUS': `SELECT (COUNT(DISTINCT ?record) AS ?n) {
    ?s a sp:Problem ; sp:belongsTo ?record MINUS { ?m a sp:Medication ; sp:belongsTo ?record } }`,
  'results within 90 days of a drug': `SELECT (COUNT(*) AS ?n) {
    ?m a sp:Medication ; sp:belongsTo ?record ; sp:startDate/^rdf:value/cg:firstDay ?begun .
    ?s a sp:LabResult ; sp:belongsTo ?record ; dcterms:date/^rdf:value/cg:firstDay ?taken
    FILTER (?taken >= ?begun && ?taken <= ?begun + 90) }`,
};

export const analystQueries = new Map(Object.entries(bodies).map(([name, body]) => [name, PREFIXES + body]));
