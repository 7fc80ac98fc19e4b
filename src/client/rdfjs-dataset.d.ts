/** The part of @rdfjs/dataset that we use; the package has no types of its own. */
declare module '@rdfjs/dataset/DatasetCore.js' {
  import type * as RDF from '@rdfjs/types';

  const DatasetCore: new (quads?: Iterable<RDF.Quad>) => RDF.DatasetCore;
  export default DatasetCore;
}
