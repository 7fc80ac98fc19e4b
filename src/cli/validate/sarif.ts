import { existsSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chartgraphHome, sarifSchema } from '../../rdf/vocabulary.js';
import { nearName, type Diagnostic } from './diagnostic.js';
import { packageVersion, shipped } from '../package.js';
import { pageOf, rules } from './all-rules.js';

/** Makes SARIF 2.1.0 (OASIS). Files below the working directory are relative, as tools expect. */
export function sarifOf(diagnostics: readonly Diagnostic[]): unknown {
  const places = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    $schema: sarifSchema,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Chartgraph',
            informationUri: chartgraphHome,
            semanticVersion: packageVersion(),
            rules: rules.map(ruleObject),
          },
        },
        // §3.14.14: the base of relative file addresses.
        originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(process.cwd()).href}/` } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((diagnostic) => resultObject(diagnostic, places.get(diagnostic.rule))),
      },
    ],
  };
}

/** §3.49: reportingDescriptor. It includes the rule's page, since the file may be read anywhere. */
function ruleObject({ id, severity, summary, hint }: (typeof rules)[number]): object {
  const page = shipped(...pageOf(id).split('/'));
  const text = `${summary} ${hint}`;
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text },
    help: { text, ...(existsSync(page) && { markdown: readFileSync(page, 'utf8') }) },
    defaultConfiguration: { level: severity },
    properties: { tags: [/-unguarded$|^call-(access|discloses)$/.test(id) ? 'security' : 'correctness'] },
  };
}

function resultObject(
  { file, line, rule, severity, message }: Diagnostic,
  ruleIndex: number | undefined,
): object {
  return {
    ruleId: rule,
    ...(ruleIndex !== undefined && { ruleIndex }),
    level: severity,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: artifact(file),
          ...(line !== null && { region: { startLine: line } }),
        },
      },
    ],
  };
}

function artifact(file: string): object {
  const near = nearName(resolve(file));
  return near === resolve(file)
    ? { uri: pathToFileURL(near).href }
    : { uri: near.split(sep).map(encodeURIComponent).join('/'), uriBaseId: 'SRCROOT' };
}
