import tseslint from 'typescript-eslint';

/** Rooms from the ground up: a room may import from itself and from rooms of a lower floor. */
const floors = [
  ['rdf'],
  ['ontology', 'disk'],
  ['query', 'store', 'accounts', 'access-log', 'metrics'],
  ['oauth', 'records', 'validate', 'derive', 'endpoint', 'analysts', 'fhir'],
  ['client', 'call-tests'],
  ['http', 'pages'],
  ['browser'],
  ['cli'],
];

/** Packages that only some rooms may import. */
const packages = [
  [['lmdb'], ['disk'], 'Only disk/ knows LMDB.'],
  [['pg'], ['disk'], 'Only disk/shared/postgres-connection.ts knows PostgreSQL.'],
  [['snappy'], ['disk'], 'Only disk/compression.ts compresses what is stored.'],
  [['koa', '@koa/*'], ['http'], 'Only http/ knows Koa.'],
  [['proxy-addr'], ['http'], 'Only http/ knows proxies.'],
  [['uqr'], ['pages'], 'Only pages/ draws.'],
  [['rdf-validate-shacl'], ['validate'], 'Only validate/ runs SHACL.'],
  [['ajv', 'ajv-formats', 'saxes'], ['endpoint'], 'Only endpoint/ knows JSON Schema.'],
  [
    ['lru-cache'],
    ['http', 'accounts', 'oauth', 'disk', 'store'],
    'Answers are cached in http/, keys in accounts/ and oauth/, rows in store/.',
  ],
  [['oauth-1.0a'], ['oauth'], 'Only oauth/unsigned-request.ts prepares signatures.'],
  [['otpauth', '@zxcvbn-ts/*'], ['accounts'], 'Only accounts/ judges passwords and codes.'],
  [['prom-client'], ['metrics'], 'Only metrics/ knows Prometheus.'],
  [['@traqula/*'], ['query'], 'Only query/syntax.ts knows the parser of SPARQL.'],
  [['oxigraph'], ['store'], 'Only store/ knows Oxigraph.'],
  [
    ['hyparquet-writer', 'hyparquet-writer/*', 'hyparquet'],
    ['analysts'],
    'Only analysts/parquet-file.ts writes Parquet.',
  ],
  [
    ['@codemirror/*', '@lezer/*', 'codemirror-lang-sparql'],
    ['browser'],
    'Only browser/editor.ts knows CodeMirror.',
  ],
  [['rdf-ext', 'rdf-ext/*'], ['rdf'], 'Only rdf/terms.ts knows rdf-ext.'],
  [['xmlchars', 'xmlchars/*'], ['rdf'], 'Only rdf/xml-names.ts knows the letters of XML.'],
  [['@rdfjs/dataset', '@rdfjs/dataset/*'], ['client'], 'Only client/graph-answers.ts makes datasets.'],
];

const packagesOfOthers = (room) =>
  packages.flatMap(([group, rooms, message]) => (rooms.includes(room) ? [] : [{ group, message }]));

const bareIri = {
  selector:
    'Literal[value=/^https?:\\u002F\\u002F(?!localhost)[^\\s]/], TemplateElement[value.raw=/^https?:\\u002F\\u002F(?!localhost)[a-z]/]',
  message: 'IRIs come from src/rdf/vocabulary.ts.',
};

function forbidden(room, floor) {
  const above = floors.slice(floor + 1).flat();
  const patterns = [...above, 'main'].map((name) => ({
    regex: name === 'main' ? '(^|/)main\\.js$' : `^(\\.\\./)+${name}/`,
    message: `${room}/ stands below ${name}; imports run the other way.`,
  }));
  return patterns;
}

const rooms = floors.flatMap((names, floor) =>
  names.map((room) => ({
    files: [`src/${room}/**/*.ts`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [...(room === 'cli' ? [] : forbidden(room, floor)), ...packagesOfOthers(room)],
        },
      ],
    },
  })),
);

export default tseslint.config(
  { ignores: ['dist', 'coverage', 'node_modules', 'data'] },
  ...tseslint.configs.strict.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/rdf/vocabulary.ts', 'src/problem.ts'],
    rules: {
      'no-restricted-syntax': ['error', bareIri],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'rdf/parse-url.ts reads URLs, and says why.' },
      ],
    },
  },
  ...rooms,
);
