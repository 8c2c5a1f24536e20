import { stringify } from 'yaml';

/** Returns a query of the data API as the text of a query file (docs/query-files.md). The title may not be blank. */
export function queryFileText(title: string, query: Readonly<Record<string, unknown>>): string {
  return stringify({ title, query }, { lineWidth: 0, blockQuote: 'literal' });
}
