import { AccountError } from '../../access/accounts/account-ids.js';
import type { User } from '../../access/accounts/users.js';
import type { Flow } from '../../access/oauth/flow.js';
import type { Decision, DecisionFacts } from '../../access/oauth/audit.js';
import type { PageParts } from '../../http/app-parts.js';
import type { Content } from '../../http/html/html.js';
import type { Fields, PageRequest } from '../../http/sign-in/page-request.js';
import type { Cell } from './list-cells.js';

/** A row of a list: cells that are functions are only called for rows that are shown. */
export interface Row {
  /** Leads to the page of what the row is about. */
  readonly id?: string | undefined;
  /** Whether a search finds it, besides by its cells. */
  readonly isFound?: boolean;
  readonly cells: readonly (Cell | (() => Promise<Cell>))[];
}

/** What an act needs to know. */
export interface Acting {
  readonly admin: User;
  readonly fields: Fields;
  readonly request: PageRequest;
  /** What the page is about; '' on the page of the list. */
  readonly id: string;
  /** Makes decisions that are recorded with the origin of the request. */
  readonly flow: Flow;
}

export type ActFacts = Omit<DecisionFacts, 'reason' | 'outcome'>;

/** What an act leaves: more facts for the access log, and what is shown now and never again. */
export interface Acted {
  readonly facts?: ActFacts;
  /** What was given, for the access log: of `givenTexts`. */
  readonly given?: string | undefined;
  /** Of what was made: its page is shown next. */
  readonly made?: string;
  readonly shown?: { readonly text: string; readonly values: readonly (readonly [string, string])[] };
}

export interface Form {
  readonly act: string;
  /** Names the act in the access log, as the command does. */
  readonly decision: Decision;
  readonly title: string;
  readonly hint?: string;
  readonly button: string;
  readonly isDanger?: boolean;
  /** Whether a row has this form; by default each has. */
  readonly isFor?: (id: string, admin: string) => boolean;
  /** @param typed what was sent and could not be done, or nothing */
  readonly fields?: (id: string, request: PageRequest, typed: Fields) => Content | Promise<Content>;
  /** Names what the act is about: its entries have it even when it fails. */
  readonly about: (acting: Acting) => ActFacts | Promise<ActFacts>;
  /** Returns who gets or loses what, if that must be confirmed. */
  readonly asks?: (acting: Acting) => string | undefined | Promise<string | undefined>;
  /** @throws AccountError with a sentence for the administrator */
  readonly run: (acting: Acting) => Promise<Acted | undefined>;
  /** Said on the next page, where the act shows nothing of its own. */
  readonly done?: string;
  /** Whether what the page is about is gone afterwards. */
  readonly ends?: boolean;
}

/** A page of the administration: a list, forms below it, and a page with forms for each row. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly columns: readonly string[];
  /** Whether rows are one paragraph each on a phone, without the names of columns. */
  readonly isCompact?: boolean;
  /** Whether rows stand by time, the latest first, and later ones come: `list` takes only those before `at`. */
  readonly isByTime?: boolean;
  /** What one row is, where rows have pages. */
  readonly one?: string;
  /** The place of the column that names what a row is about; by default the first. */
  readonly titleColumn?: number;
  /** Columns that are left out where no row that is shown has something in them. */
  readonly sparse?: readonly string[];
  /** Columns of the table to download, where they differ. */
  readonly tableColumns?: readonly string[];
  /** Said where the list is empty. */
  readonly none: string;
  /** Fields of the filter; without it one field searches all cells. */
  readonly filters?: (fields: Fields) => Content;
  readonly list: (request: PageRequest, fields: Fields) => Promise<readonly Row[]> | readonly Row[];
  readonly forms?: readonly Form[];
  readonly rowForms?: readonly Form[];
}

export type MakeSection = (parts: PageParts) => Section;

/** Returns a field that must be filled in. @throws AccountError */
export function needed(fields: Fields, name: string, what: string): string {
  const text = fields.get(name)?.trim() ?? '';
  if (text === '') throw new AccountError(`Fill in ${what}.`);
  return text;
}

export const optional = (fields: Fields, name: string): string | undefined =>
  fields.get(name)?.trim() || undefined;
