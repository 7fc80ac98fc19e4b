import tseslint from 'typescript-eslint';

/**
 * The modules. Each imports from itself and from those before it; the core, up to http, thus knows no feature. `main.ts`
 * plugs the features in.
 */
const core = ['rdf', 'model', 'store', 'access', 'records', 'http'];
const features = ['fhir', 'services', 'analysts', 'pages', 'authoring'];
const modules = [...core, ...features, 'client', 'cli'];

/** Packages that only some modules may import. */
const packages = [
  [['lmdb', 'pg', 'snappy'], ['store'], 'Only store/ knows what data lies in.'],
  [['oxigraph'], ['store'], 'Only store/engine.ts knows Oxigraph.'],
  [['koa', '@koa/*', 'proxy-addr'], ['http'], 'Only http/ knows Koa and proxies.'],
  [['uqr'], ['http'], 'Only http/html/ draws.'],
  [['rdf-validate-shacl'], ['model'], 'Only model/validate/ runs SHACL.'],
  [['@traqula/*'], ['model'], 'Only model/query/syntax.ts knows the parser of SPARQL.'],
  [['oidc-provider'], ['fhir'], 'Only fhir/smart/ knows the provider.'],
  [['ajv', 'ajv-formats', 'saxes'], ['fhir'], 'Only fhir/endpoint/ knows JSON Schema.'],
  [
    ['lru-cache'],
    ['http', 'access', 'store', 'analysts', 'fhir'],
    'Answers are cached in http/, keys in access/, rows in store/, units in analysts/, resources in fhir/.',
  ],
  [['oauth-1.0a'], ['access'], 'Only access/oauth/unsigned-request.ts prepares signatures.'],
  [['openid-client'], ['access'], 'Only access/sign-on/identity-provider.ts knows OpenID Connect.'],
  [['otpauth', '@zxcvbn-ts/*'], ['access'], 'Only access/accounts/ judges passwords and codes.'],
  [
    ['prom-client'],
    ['http', 'services'],
    'Only http/container-metrics.ts and services/metrics/ know Prometheus.',
  ],
  [['hyparquet-writer', 'hyparquet-writer/*', 'hyparquet'], ['analysts'], 'Only analysts/ writes Parquet.'],
  [['@lhncbc/*'], ['analysts'], 'Only analysts/canonical-units.ts knows UCUM.'],
  [['@codemirror/*', '@lezer/*', 'codemirror-lang-sparql'], ['analysts'], 'Only analysts/browser/ edits.'],
  [['rdf-ext', 'rdf-ext/*'], ['rdf'], 'Only rdf/terms.ts knows rdf-ext.'],
  [['xmlchars', 'xmlchars/*'], ['rdf'], 'Only rdf/xml-text.ts knows the letters of XML.'],
  [['@rdfjs/dataset', '@rdfjs/dataset/*'], ['client'], 'Only client/graph-answers.ts makes datasets.'],
];

const packagesOfOthers = (module) =>
  packages.flatMap(([group, allowed, message]) => (allowed.includes(module) ? [] : [{ group, message }]));

const bareIri = {
  selector:
    'Literal[value=/^https?:\\u002F\\u002F(?!localhost)[^\\s]/], TemplateElement[value.raw=/^https?:\\u002F\\u002F(?!localhost)[a-z]/]',
  message: 'IRIs come from src/rdf/vocabulary.ts.',
};

const modulesAbove = (module) =>
  [...modules.slice(modules.indexOf(module) + 1), 'main'].map((name) => ({
    regex: name === 'main' ? '(^|/)main\\.js$' : `^(\\.\\./)+${name}/`,
    message: `${module}/ stands below ${name}; imports run the other way.`,
  }));

/** What reads data of people without a record of it. Calls are recorded by their route, pages by their readers. */
const unrecorded = {
  regex:
    '/(records/(people|export-data|lists/(list|graphs|members)|posted/post-statement)|handlers/reads|record-data|store/(stored-graphs|past|past-graphs|history|disk/data-directory))\\.js$',
  importNamePattern: '^(?!(listRequestOf|noSuchResource)$)',
  allowTypeImports: true,
  message: 'Pages read of people what http/recorded-reads.ts gives them; it records who saw what.',
};

const restricted = (files, module, more = [], ignores = []) => ({
  files,
  ignores,
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      { patterns: [...(module === 'cli' ? [] : modulesAbove(module)), ...packagesOfOthers(module), ...more] },
    ],
  },
});

const walls = [
  ...modules.map((module) =>
    // The worker is the entry of processes that main.ts starts and that serve as it does.
    restricted([`src/${module}/**/*.ts`], module, module === 'pages' ? [unrecorded] : [], [
      'src/services/worker.ts',
    ]),
  ),
  // A visitor's own name is no access.
  restricted(['src/http/{sign-in,html}/*.ts'], 'http', [unrecorded], ['src/http/sign-in/visitor.ts']),
  restricted(['src/authoring/explain.ts'], 'authoring', [unrecorded]),
  restricted(['src/analysts/{routes,workbench}/*.ts'], 'analysts', [unrecorded]),
];

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
    ignores: ['src/rdf/vocabulary.ts', 'src/model/problem.ts'],
    rules: {
      'no-restricted-syntax': ['error', bareIri],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'rdf/parse-url.ts reads URLs, and says why.' },
      ],
    },
  },
  ...walls,
);
