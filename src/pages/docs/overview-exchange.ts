import { answeredFormats, formats, postedFormats } from '../../rdf/formats.js';
import { LARGEST_PAGE } from '../../records/lists/page.js';
import { api } from '../../rdf/vocabulary.js';
import { html, type Html } from '../html.js';
import { termLink, type DocsSource } from './docs-source.js';
import { nameOfType, table } from './page-elements.js';

/** The parts of the first page about what is sent and answered. */
export function exchangeSections(
  source: DocsSource,
): Record<'formats' | 'lists' | 'writing', readonly Html[]> {
  return { formats: formatTable(), lists: lists(source), writing: writing() };
}

function formatTable(): Html[] {
  return [
    html`<p>
      Graphs are answered as RDF/XML unless <code>Accept</code>, or the query parameter
      <code>_format</code> for those who cannot set it, asks otherwise. The media type is sent without a
      charset parameter; all text is UTF-8.
    </p>`,
    table(
      'Formats of graphs',
      ['Format', 'Media type', '_format'],
      answeredFormats.map((name, index) => {
        const { mediaType } = formats[name];
        return {
          cells: [
            html`${nameOfType(mediaType)}${index === 0 && ', the default'}`,
            html`<code>${mediaType}</code>`,
            html`<code>${name}</code>`,
          ],
        };
      }),
      { slim: true },
    ),
    html`<p>
      Manifests are JSON. A document is answered as its file, as its description, or as its description with
      the content in it; the parameter <code>format</code> chooses. Answers carry a strong <code>ETag</code>:
      with <code>If-None-Match</code> an unchanged one is 304.
    </p>`,
  ];
}

function lists(source: DocsSource): Html[] {
  return [
    html`<p>
      A list holds the statements of a record that pass its filters, newest first, those without a date last;
      each comes with the statements that it is linked to, one step far. <code>limit</code> (1 to
      ${LARGEST_PAGE}) and <code>offset</code> cut a page out. An ${termLink(source, api.ResponseSummary)}
      says how many there are in all, in which order, and where the next page is. Searches answer with what
      they find and nothing else; where the next page is stands in <code>Link</code>.
    </p>`,
    html`<h3 id="dates">Dates in filters</h3>`,
    html`<p>
      A date may be partial, such as <code>2010</code> or <code>2010-06</code>, in the filter and in the
      record: it then means a period. <code>date_from</code> and <code>date_to</code> include the whole
      period, the forms with <code>_excluding</code> leave it out. Dates with an offset are compared as
      instants; a missing zone is UTC.
    </p>`,
    html`<h3 id="codes">Codes in filters</h3>`,
    html`<p>
      A code is given by its identifier, several are separated by a vertical bar: any of them will do. A value
      that is no date, code or number is refused, and so is a parameter that the call does not know.
    </p>`,
  ];
}

function writing(): Html[] {
  const taken = postedFormats.map((name) => nameOfType(formats[name].mediaType));
  return [
    html`<p>
        A posted statement is one resource without a name, as ${taken.join(', ')}; the container gives it a
        name and its record, holds it against the ontology, stores it durably and answers with 200, its
        <code>Location</code> and what was stored. With an <code>Idempotency-Key</code> the request can be
        repeated without storing twice.
      </p>
      <p>
        Texts that apps keep (scratchpads and preferences) are stored with their media type, as they come, up
        to 1 MB.
        <code>If-Match</code> and <code>If-None-Match</code> protect what somebody else has written meanwhile.
      </p>`,
  ];
}
