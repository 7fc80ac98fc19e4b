/** The part of @rdfjs/dataset that is used here; the package brings no types of its own. */
declare module '@rdfjs/dataset/DatasetCore.js' {
  import type * as RDF from '@rdfjs/types';

  const DatasetCore: new (quads?: Iterable<RDF.Quad>) => RDF.DatasetCore;
  export default DatasetCore;
}
