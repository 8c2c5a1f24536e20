import type { DataQuery } from '#api/data.ts';
import type { QueryForm } from './messages.ts';
import { sqlForm } from './sql-form.ts';
import type { Draft } from './draft.ts';

/** Where a query goes, and what is known of its members. */
export interface FormContext {
  /** The base address of the data API. */
  readonly restUrl: string;
  readonly isMeasure: (member: string) => boolean;
}

/** The query as other tools take it. Tokens are never written: each form names a variable for it. */
export function queryForms(query: DataQuery, draft: Draft, { restUrl, isMeasure }: FormContext): readonly QueryForm[] {
  const pretty = JSON.stringify(query, null, 2);
  return [
    { id: 'json', label: 'JSON', text: pretty },
    { id: 'rest', label: 'REST', text: curl(query, restUrl) },
    { id: 'sqlApi', label: 'SQL API', text: sqlForm(draft, isMeasure) },
    { id: 'javascript', label: 'JavaScript', text: javascript(pretty, restUrl) },
  ];
}

function curl(query: DataQuery, restUrl: string): string {
  const body = JSON.stringify({ query });
  return [
    `curl -X POST ${quoted(`${restUrl.replace(/\/+$/, '')}/load`)} \\`,
    `  -H "Authorization: $CUBE_TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(body)}`,
    '',
  ].join('\n');
}

/** As a POSIX shell reads it: nothing inside is expanded. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function javascript(pretty: string, restUrl: string): string {
  return [
    `import cube from '@cubejs-client/core';`,
    '',
    `const client = cube(process.env.CUBE_TOKEN, { apiUrl: ${JSON.stringify(restUrl)} });`,
    `const resultSet = await client.load(${pretty});`,
    `console.table(resultSet.tablePivot());`,
    '',
  ].join('\n');
}
