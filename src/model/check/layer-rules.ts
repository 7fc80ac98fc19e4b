import { cg, owl, prefixes as shared, sh } from '../../rdf/vocabulary.js';
import { satisfies, type Layer } from '../ontology/layers.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type Breach, type OntologyInput, type OntologyRule } from './rule.js';

/** Asks each layer, with those below it. */
const each =
  (check: (layer: Layer, below: readonly Layer[]) => readonly Breach[]) =>
  ({ ontology: { layers } }: OntologyInput): Breach[] =>
    layers.flatMap((layer, index) =>
      check(layer, layers.slice(0, index)).map((found) => ({ ...found, paths: layer.paths })),
    );

function headerFaults(layer: Layer, below: readonly Layer[]): Breach[] {
  const { iri, label, version, headers, imports } = layer;
  if (headers !== 1) {
    const says = `must have exactly one instance in a layer, ${layer.paths[0] ?? 'it'} and the files beside it have ${headers}`;
    return below.length === 0 ? [] : [breach(owl.Ontology, says)];
  }
  const unmet = imports.filter((imported) => !below.some((other) => satisfies(other, imported)));
  const missing = [
    ...(label === '' ? ['a name (rdfs:label)'] : []),
    ...(/^\d+\.\d+$/.test(version) ? [] : ['a version of two numbers (owl:versionInfo)']),
    ...(imports.length === 0 ? ['the version below that it builds on (owl:imports)'] : []),
  ];
  return [
    ...(below.length > 0 ? missing : []).map((what) => breach(iri, `is a layer and must state ${what}`)),
    ...unmet.map((imported) => {
      const same = below.find((other) => satisfies(other, imported) !== undefined);
      const says = same
        ? `builds on ${imported}, and below it is version ${same.version}: check it against that one, then change owl:imports`
        : `builds on ${imported}, which is not below it: give the folder below it first, such as --ontology shipped`;
      return breach(iri, says, owl.imports);
    }),
  ];
}

const layerHeader: OntologyRule = {
  id: 'layer-header',
  severity: 'error',
  summary: 'A layer has a name, a version and the version below that it builds on, which is below it.',
  hint: 'State rdfs:label, owl:versionInfo, and owl:imports with the IRI of the layer below followed by its version; a later minor version will do.',
  check: each(headerFaults),
};

const layerPrefix: OntologyRule = {
  id: 'layer-prefix',
  severity: 'error',
  summary:
    'A prefix of a layer stands for one namespace, the same as in the layers below and in the container.',
  hint: 'Choose another prefix: sh:declare [ sh:prefix "clinic" ; sh:namespace "https://clinic.example.org/terms#" ].',
  check: each(({ iri, prefixes }, below) =>
    Object.entries(prefixes).flatMap(([prefix, namespace]) => {
      const known = Object.assign({}, ...below.map((other) => other.prefixes), shared) as typeof prefixes;
      const taken = known[prefix];
      const says = !/^[a-z][a-z0-9]*$/.test(prefix)
        ? `declares the prefix "${prefix}": write small letters and digits`
        : !/^[a-z][a-z0-9+.-]*:[^\s<>"{}|^`\\]*[#/]$/.test(namespace)
          ? `declares the prefix ${prefix} for "${namespace}", which is no IRI that ends with # or /`
          : taken !== undefined && taken !== namespace
            ? `declares the prefix ${prefix} for ${namespace}, which stands for ${taken}`
            : undefined;
      return says === undefined ? [] : [breach(iri, says, sh.declare)];
    }),
  ),
};

export const layerReplaces: OntologyRule = {
  id: 'layer-replaces',
  severity: 'error',
  summary: 'A layer changes a term or a query below only if its header names the term with cg:overrides.',
  hint: 'Leave out what is said below already, use a term of your own, or name the term (of a query, its call) in the header: cg:overrides sp:Medication.',
  check: each(({ iri, changes, overrides }, below) => [
    ...changes.map(({ subject, near, says }) => breach(subject, says, near)),
    ...[...overrides]
      .filter((term) => !below.some(({ terms }) => terms.has(term)))
      .map((term) => breach(iri, `overrides ${shortName(term)}, which nothing below declares`, cg.overrides)),
  ]),
};

export const layerRules = [layerHeader, layerPrefix, layerReplaces];
