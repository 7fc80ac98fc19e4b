import type { Feature } from '../http/feature.js';
import { mappingOf } from './docs-model/mapping-doc.js';
import { explaining } from './explain.js';
import { describeContainer } from './served-descriptions.js';

/** Tools for authors of ontologies, queries and apps: documentation, shapes, OpenAPI, and `?explain`. */
export const authoring: Feature = {
  descriptions({ program, site, settings, log }) {
    const { analyses, ...model } = program;
    const { base, name, description, hasAnalysts } = site;
    const { version, containerAccess } = settings;
    const mapping = mappingOf(settings.queries, model.ontology);
    // Analyses are described only if they are served.
    return describeContainer(
      { ...model, mapping, ...(hasAnalysts && { analyses }) },
      {
        ...{ base, name, description, version, containerAccess },
        onFault: (error) =>
          log.warn({ error: String(error) }, 'the documentation has no examples: its seed cannot be read'),
      },
    );
  },

  instead: ({ program, site, people, locate }) =>
    explaining({ ...program, site, base: site.base, people, locate }),
};
