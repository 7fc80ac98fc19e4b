import type { CallModel } from '../ontology/model.js';
import { sp } from '../rdf/vocabulary.js';

/** What says nothing of a person, and so may be kept by anyone for a while. */
const publicTargets: ReadonlySet<string> = new Set([sp.Ontology, sp.AppManifest, sp.ContainerManifest]);

/**
 * The Cache-Control of a GET (RFC 9111 §5.2.2): ontology and manifests may be shared for five minutes, unless
 * even they are for signers alone; everything about people stays with the caller and is asked for again.
 */
export function cacheControl(call: CallModel, access: 'open' | 'signed' = 'open'): string {
  return publicTargets.has(call.target) && access === 'open' ? 'public, max-age=300' : 'private, no-cache';
}
