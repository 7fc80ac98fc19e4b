/** A method of clients: what happens with the answer at run time, and its type in TypeScript. */
export interface ClientMethod {
  readonly form: string;
  readonly type: string;
  /**
   * What the type is applied to after the parameters: `T` stands for the classes of the answer, `FORMAT` for the format
   * of a document where none is asked for.
   */
  readonly of: readonly string[];
}

/** The methods that clients are made of; `client/` has a handler for each form. */
export const clientMethods = {
  graph: { form: 'graph', type: 'ReadMethod', of: ['GraphAnswer'] },
  object: { form: 'object', type: 'ReadMethod', of: ['ObjectAnswer<T>'] },
  list: { form: 'list', type: 'ListMethod', of: ['T'] },
  posted: { form: 'posted', type: 'PostMethod', of: ['T'] },
  json: { form: 'json', type: 'JsonMethod', of: [] },
  jsonList: { form: 'json', type: 'JsonListMethod', of: [] },
  sent: { form: 'sent', type: 'SendMethod', of: [] },
  file: { form: 'file', type: 'ReadMethod', of: ['FileAnswer'] },
  document: { form: 'document', type: 'DocumentMethod', of: ['T', 'FORMAT'] },
  stored: { form: 'stored', type: 'StoreMethod', of: [] },
  removed: { form: 'removed', type: 'RemoveMethod', of: [] },
  // Of analyses, which are no calls: what follows the parameters are the names of the columns.
  table: { form: 'table', type: 'AnalysisMethod', of: [] },
} as const satisfies Readonly<Record<string, ClientMethod>>;

/** What a client does with an answer. */
export type ClientForm = (typeof clientMethods)[keyof typeof clientMethods]['form'];
