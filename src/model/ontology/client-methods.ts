/** A client method: its handling of answers at run time, and its TypeScript type. */
export interface ClientMethod {
  readonly form: string;
  readonly type: string;
  /** Type arguments after the parameters: `T` for the classes, `FORMAT` for a document's default format. */
  readonly of: readonly string[];
}

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
  // For analyses, which are no calls: the type arguments after the parameters are the column names.
  table: { form: 'table', type: 'AnalysisMethod', of: [] },
} as const satisfies Readonly<Record<string, ClientMethod>>;

export type ClientForm = (typeof clientMethods)[keyof typeof clientMethods]['form'];
