import { codeSystems } from '../../dist/rdf/vocabulary.js';

/** How many codes are invented for a set that the ontology leaves open. */
const INVENTED = 200;

/**
 * The codes of a class: those that the ontology declares; for an open set invented ones, whose identifiers (such as
 * `rxnorm_semantic-17`) are none that the real system could give out.
 */
export function codesOf(ontology, codeClass) {
  const declared = [...ontology.codes.values()].filter(({ classes }) => classes.includes(codeClass));
  if (declared.length > 0) return declared;
  const model = ontology.classes.get(codeClass);
  const name = model?.name ?? 'code';
  const system = codeSystems[name] ?? `${codeClass}/`;
  return Array.from({ length: INVENTED }, (_, number) => {
    const identifier = `${name.toLowerCase()}-${number}`;
    return {
      iri: system + identifier,
      title: `Invented ${model?.label ?? name} ${number}`,
      system,
      identifier,
      classes: [codeClass],
      broader: [],
      isOver: false,
      isOutside: false,
    };
  });
}
