/** The part of jsonld that we use; the package has no types of its own. */
declare module 'jsonld' {
  interface Options {
    base?: string;
    documentLoader?: (url: string) => Promise<never>;
    eventHandler?: (step: {
      event: { code: string; message: string; details?: unknown };
      next: () => void;
    }) => void;
  }
  const jsonld: {
    toRDF(document: object, options: Options): Promise<unknown>;
    fromRDF(dataset: readonly unknown[], options: Options): Promise<object[]>;
    /** Resolves IRIs; jsonld calls its functions through this object. */
    readonly url: { removeDotSegments(path: string): string };
    compact(document: object, context: object, options: Options): Promise<object>;
  };
  export default jsonld;
}
