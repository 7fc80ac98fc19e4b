// Queries that ask for too much, each in a way of its own; the number makes each one another text.
const repeat = (count, text) => Array.from({ length: count }, (_, at) => text(at)).join(' ');
const triples = (count) => repeat(count, (at) => `?s${at} ?p${at} ?o${at} .`);
const nested = (depth, inside) => `${'{ '.repeat(depth)}${inside}${' }'.repeat(depth)}`;

/** @returns { family, query } of each family in turn */
export function poison(number) {
  const [family, make] = families[number % families.length];
  return { family, query: `# ${number}\n${make(1 + Math.floor(number / families.length))}` };
}

const families = Object.entries({
  'cross product': (n) => `SELECT (COUNT(*) AS ?n) { ${triples(3 + (n % 4))} }`,
  'cross product of rows': (n) => `SELECT * { ${triples(2 + (n % 3))} FILTER (?o0 != ?o1) }`,
  'sort of everything': (n) =>
    `SELECT * { ${triples(2)} } ORDER BY ${n % 2 ? 'DESC' : 'ASC'}(CONCAT(STR(?o0), STR(?o1))) ?s0`,
  'distinct everything': (n) =>
    `SELECT DISTINCT (CONCAT(STR(?o0), STR(?o1), "${n}") AS ?x) { ${triples(2)} }`,
  'group of everything': (n) =>
    `SELECT (GROUP_CONCAT(CONCAT(STR(?o0), STR(?o1)); separator="${'-'.repeat(n)}") AS ?all) { ${triples(2)} }`,
  'path over everything': (n) =>
    `SELECT (COUNT(*) AS ?n) { ?a (!<urn:x${n}>|^(!<urn:x${n}>))* ?b . ?b (!<urn:y>|^(!<urn:y>))* ?c }`,
  'long path': (n) =>
    `ASK { ?a ${Array.from({ length: Math.min(500 * n, 6000) }, () => '!<urn:x>').join('/')} ?b }`,
  'path of paths': (n) =>
    `ASK { ?a ${'('.repeat(10 * n)}rdf:type*${')*'.repeat(10 * n)} ?b . ?c (!<urn:y>)+ ?d }`,
  'deep groups': (n) => `ASK ${nested(Math.min(40 * n, 2000), '?s ?p ?o')}`,
  'deep subqueries': (n) => `${'SELECT * { { '.repeat(20 * n)} ?s ?p ?o ${'} }'.repeat(20 * n)}`,
  'deep parentheses': (n) => `ASK { FILTER (${'('.repeat(2000 * n)}1${')'.repeat(2000 * n)}) }`,
  'deep negations': (n) => `ASK { FILTER (${'!'.repeat(3000 * n)}true) }`,
  'long sum': (n) => `SELECT (${Array.from({ length: 2000 * n }, () => '1').join('+')} AS ?n) {}`,
  'many unions': (n) =>
    `SELECT (COUNT(*) AS ?n) { ${Array.from({ length: 100 * n }, () => '{ ?a ?b ?c }').join(' UNION ')} ${triples(2)} }`,
  'many optionals': (n) =>
    `SELECT (COUNT(*) AS ?n) { ?a ?b ?c ${repeat(20 + n, (at) => `OPTIONAL { ?a ?p${at} ?o${at} }`)} }`,
  'many values': (n) =>
    `SELECT (COUNT(*) AS ?n) { ${repeat(6, (at) => `VALUES ?v${at} { ${repeat(200 + n, String)} }`)} }`,
  'huge literal': (n) =>
    `SELECT (STRLEN(?x20) AS ?n) { BIND ("${'y'.repeat(500 + n)}" AS ?x0) ${repeat(20, (at) => `BIND (CONCAT(?x${at}, ?x${at}) AS ?x${at + 1})`)} }`,
  'huge constant': (n) => `SELECT * { ?s ?p "${'z'.repeat(Math.min(5000 * n, 65_000))}" }`,
  'regular expression': (n) =>
    `ASK { ${triples(2)} FILTER REGEX(CONCAT(STR(?o0), STR(?o1)), "(x+x+)+y(z|zz|zzz){1,${100 * n}}") }`,
  'replacement in everything': (n) =>
    `SELECT (SUM(STRLEN(REPLACE(CONCAT(STR(?o0), STR(?o1)), ".", "${'abcdefgh'.repeat(n)}"))) AS ?n) { ${triples(2)} }`,
  'graph of everything': () => 'CONSTRUCT { ?s0 ?p0 ?o1 . ?s1 ?p1 ?o0 } { ?s0 ?p0 ?o0 . ?s1 ?p1 ?o1 }',
  'description of everything': () => `DESCRIBE * { ${triples(2)} }`,
  'graphs of graphs': (n) =>
    `SELECT (COUNT(*) AS ?n) { ${repeat(2 + (n % 3), (at) => `GRAPH ?g${at} { ?s${at} ?p${at} ?o${at} }`)} }`,
  'nothing that exists': (n) =>
    `SELECT (COUNT(*) AS ?n) { ?a ?b ?c FILTER NOT EXISTS { ?d ?e ?f FILTER (?c = ?f && ?a != ?d && "${n}" = ?f) } ?x ?y ?z }`,
  'minus everything': (n) => `SELECT * { ${triples(2)} MINUS { ?s0 ?p1 ?o1 . ?s1 ?p0 "${n}" } }`,
});
