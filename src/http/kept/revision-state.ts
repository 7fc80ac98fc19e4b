import { linkRules } from '../../ontology/model.js';
import type { CallModel, Ontology } from '../../ontology/model.js';
import type { AllowedCall } from '../calls.js';
import type { ContainerContext } from '../container-context.js';

/**
 * The state of everything that the answer to a request is made of: the epoch of the data directory and the revisions
 * of the paths that the call reads, in one snapshot. It changes with every write that can change the answer, made by
 * whichever process.
 */
export function revisionState(
  { primary, ontology, epoch }: ContainerContext,
  { call, path }: AllowedCall,
): string {
  const templates = templatesOf(ontology, call);
  return primary.directory.read(() => {
    let state = epoch();
    for (const template of templates) {
      const scope = fixedPart(template, path);
      state += ` ${scope} ${primary.revision(scope)}`;
    }
    return state;
  });
}

type Template = readonly { readonly literal?: string; readonly parameter?: string }[];

const known = new WeakMap<CallModel, readonly Template[]>();

/**
 * The paths whose revisions tell whether an answer has changed: where the target class and the classes it
 * links to lie, as far as the request fixes them. A wider path is never wrong, only less sharp.
 */
function templatesOf(ontology: Ontology, call: CallModel): readonly Template[] {
  let templates = known.get(call);
  if (!templates) {
    const target = ontology.classes.get(call.target);
    const linked = target ? linkRules(ontology, target).flatMap(({ classes }) => classes) : [];
    const paths = [
      '/ontology',
      target?.basePath ?? call.path,
      ...linked.map((iri) => ontology.classes.get(iri)?.basePath ?? ''),
    ];
    templates = [...new Set(paths)].map(readTemplate);
    known.set(call, templates);
  }
  return templates;
}

function readTemplate(path: string): Template {
  return path
    .split('/')
    .slice(1)
    .map((segment) => {
      const parameter = /^\{(.+)\}$/.exec(segment)?.[1];
      return parameter === undefined ? { literal: segment } : { parameter };
    });
}

/** `/records/{record_id}/medications/{medication_id}` up to the first parameter that the request leaves open. */
function fixedPart(template: Template, path: Readonly<Record<string, string>>): string {
  let fixed = '';
  for (const { literal, parameter } of template) {
    const value = parameter === undefined ? literal : path[parameter];
    if (value === undefined || value === '') break;
    fixed += `/${value}`;
  }
  return fixed;
}
