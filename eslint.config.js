import tseslint from 'typescript-eslint';

/** Rooms from the ground up: a room may import from itself and from rooms of a lower floor. */
const floors = [
  ['rdf'],
  ['ontology', 'disk'],
  ['query', 'store', 'accounts', 'access-log'],
  ['oauth', 'records', 'validate', 'derive', 'endpoint'],
  ['client'],
  ['http', 'pages'],
  ['cli'],
];

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
          patterns: [
            ...(room === 'cli' ? [] : forbidden(room, floor)),
            ...(room === 'disk' ? [] : [{ group: ['lmdb'], message: 'Only disk/ knows LMDB.' }]),
            ...(room === 'http' ? [] : [{ group: ['koa', '@koa/*'], message: 'Only http/ knows Koa.' }]),
            ...(room === 'http'
              ? []
              : [{ group: ['rate-limiter-flexible'], message: 'Only http/ throttles.' }]),
            ...(room === 'validate'
              ? []
              : [{ group: ['rdf-validate-shacl'], message: 'Only validate/ runs SHACL.' }]),
            ...(room === 'endpoint'
              ? []
              : [{ group: ['ajv', 'ajv-formats', 'saxes'], message: 'Only endpoint/ knows JSON Schema.' }]),
            ...(['http', 'accounts', 'oauth'].includes(room)
              ? []
              : [
                  {
                    group: ['lru-cache'],
                    message: 'Answers are cached in http/, keys in accounts/ and oauth/.',
                  },
                ]),
            ...(room === 'oauth'
              ? []
              : [{ group: ['oauth-1.0a'], message: 'Only oauth/unsigned-request.ts prepares signatures.' }]),
            ...(room === 'accounts'
              ? []
              : [
                  {
                    group: ['otpauth', '@zxcvbn-ts/*'],
                    message: 'Only accounts/ judges passwords and codes.',
                  },
                ]),
            ...(room === 'store' ? [] : [{ group: ['oxigraph'], message: 'Only store/ knows Oxigraph.' }]),
          ],
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
    rules: { 'no-restricted-syntax': ['error', bareIri], 'no-console': 'error' },
  },
  ...rooms,
);
