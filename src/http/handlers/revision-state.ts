import { linkRules, type CallModel, type Ontology } from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import type { Addressed } from './reads.js';

/** What states are read from. */
export interface States {
  readonly ontology: Ontology;
  readonly primary: PrimaryStore;
  /** The epoch of the data directory. */
  readonly epoch: () => string;
}

/**
 * The state of everything that the answer to a request is made of: the epoch of the data directory and the revisions
 * of the paths that the call reads, in one snapshot. It changes with every write that can change the answer, made by
 * whichever process.
 */
export function revisionState({ primary, ontology, epoch }: States, { call, path }: Addressed): string {
  const templates = templatesOf(ontology, call);
  return primary.directory.read(() => {
    let state = epoch();
    for (const template of templates) {
      const scope = template.prefix(path);
      state += ` ${scope} ${primary.revision(scope)}`;
    }
    return state;
  });
}

const known = new WeakMap<CallModel, readonly PathTemplate[]>();

/**
 * The paths whose revisions tell whether an answer has changed: where the target class and the classes it
 * links to lie, as far as the request fixes them. A wider path is never wrong, only less sharp.
 */
function templatesOf(ontology: Ontology, call: CallModel): readonly PathTemplate[] {
  let templates = known.get(call);
  if (!templates) {
    const target = ontology.classes.get(call.target);
    const linked = target ? linkRules(ontology, target).flatMap(({ classes }) => classes) : [];
    const paths = [
      '/ontology',
      target?.basePath ?? call.path,
      ...linked.map((iri) => ontology.classes.get(iri)?.basePath ?? ''),
    ];
    templates = [...new Set(paths)].map((path) => PathTemplate.of(path));
    known.set(call, templates);
  }
  return templates;
}
