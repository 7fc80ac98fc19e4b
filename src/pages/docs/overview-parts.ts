/** The parts of the first page, which the contents list before the page is made. */
export const overviewParts = [
  { id: 'first-call', title: 'The first call' },
  { id: 'scopes', title: 'Who may call what' },
  { id: 'signing', title: 'Signing' },
  { id: 'tokens', title: 'Getting a token' },
  { id: 'formats', title: 'Formats' },
  { id: 'lists', title: 'Lists, pages, filters' },
  { id: 'writing', title: 'Writing' },
  { id: 'analysts', title: 'Queries of analysts' },
  { id: 'errors', title: 'Errors' },
  { id: 'machines', title: 'For machines' },
] as const;

export type OverviewPart = (typeof overviewParts)[number]['id'];
