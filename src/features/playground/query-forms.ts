import type { DataQuery } from '#api/data/data.ts';
import type { PlaygroundMember, QueryForm } from './messages.ts';
import { buildQuery } from './build-query.ts';
import { sqlForm } from './sql-form.ts';
import type { Draft } from './draft.ts';
import { graphqlForm } from './graphql-form.ts';
import type { ValueKind } from './operators.ts';

/** The destination of a query, and facts about its members. */
interface FormContext {
  /** The base address of the data API. */
  readonly restUrl: string;
  readonly isMeasure: (member: string) => boolean;
  readonly valueKindOf: (member: string) => ValueKind;
}

/** Returns the query of a draft in the forms of other tools; `restUrl` is the base address of the data API. */
export function formsOf(draft: Draft, restUrl: string, members: readonly PlaygroundMember[]): readonly QueryForm[] {
  return queryForms(buildQuery(draft), draft, formContext(restUrl, members));
}

/** Returns the facts that forms need about the members of a model. */
export function formContext(restUrl: string, members: readonly PlaygroundMember[]): FormContext {
  const known = new Map(members.map((member) => [member.name, member]));
  return {
    restUrl,
    isMeasure: (name) => known.get(name)?.kind === 'measure',
    valueKindOf: (name) => known.get(name)?.valueKind ?? 'text',
  };
}

/** Returns the query in the forms of other tools. They contain no token, but name a variable for it. */
export function queryForms(
  query: DataQuery,
  draft: Draft,
  { restUrl, isMeasure, valueKindOf }: FormContext,
): readonly QueryForm[] {
  const pretty = JSON.stringify(query, null, 2);
  return [
    { id: 'json', label: 'JSON', text: pretty },
    { id: 'rest', label: 'REST', text: curl(query, restUrl) },
    { id: 'graphql', label: 'GraphQL', text: graphqlForm(draft, valueKindOf) },
    { id: 'sqlApi', label: 'SQL API', text: sqlForm(draft, isMeasure) },
    { id: 'javascript', label: 'JavaScript', text: javascript(pretty, restUrl) },
  ];
}

function curl(query: DataQuery, restUrl: string): string {
  const body = JSON.stringify({ query });
  return [
    `curl -X POST ${quoted(`${restUrl.replace(/(?<!\/)\/+$/, '')}/load`)} \\`,
    `  -H "Authorization: $CUBE_TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(body)}`,
    '',
  ].join('\n');
}

/** Quotes a text for a POSIX shell, so that nothing inside is expanded. */
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
