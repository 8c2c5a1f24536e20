import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { commonPlaces, type ParameterPlace, parameterPlaces } from './parameter-places.ts';
import { parameterKey, parametersOf } from './parameters.ts';
import { root } from './run.ts';

type Places = Readonly<Record<string, Readonly<Record<string, ParameterPlace>>>>;

/** A parameter of an operation and where its value comes from. */
export interface ParameterRow {
  readonly op: Operation;
  /** For example `query source`. */
  readonly key: string;
  readonly place: ParameterPlace | undefined;
}

/** The tables to compare, which tests replace. */
export interface ParameterTables {
  readonly table: readonly Operation[];
  readonly places: Places;
  readonly common: Places[string];
  readonly documented: Documented;
}

/** The parameters of the documented API, by operation; from `test/fixtures/documented-operations.json`. */
export type Documented = Readonly<Record<string, readonly string[]>>;

const ours: ParameterTables = {
  table: operations,
  places: parameterPlaces,
  common: commonPlaces,
  documented: documentedParameters(),
};

/** Returns a row for every parameter of every operation. */
export function parameterRows({ table, places, common }: ParameterTables = ours): readonly ParameterRow[] {
  return table.flatMap((op) =>
    parametersOf(op).map((parameter) => {
      const key = parameterKey(parameter);
      return { op, key, place: places[op.id]?.[key] ?? common[key] };
    }),
  );
}

/**
 * Returns what is missing or superfluous, one sentence each. `contributed`: ids of the manifest’s commands, views and settings.
 */
export function parameterGaps(contributed: ReadonlySet<string>, tables: ParameterTables = ours): readonly string[] {
  const rows = parameterRows(tables);
  const known = new Set(rows.map(({ op, key }) => `${op.id} ${key}`));
  const used = new Set(rows.map(({ key }) => key));
  const unplaced = rows.flatMap(({ op, key, place }) => (place ? [] : `${op.id}: ${key} has no place`));
  const absent = rows.flatMap(({ op, key, place }) =>
    place?.by === 'user' && !contributed.has(place.at)
      ? `${op.id}: ${key} is placed at ${place.at}, which is not in the manifest`
      : [],
  );
  const strange = Object.entries(tables.places).flatMap(([id, placed]) =>
    Object.keys(placed)
      // Chat operations share one table for both addresses.
      .filter((key) => !known.has(`${id} ${key}`) && !/^path (?:agentId|deploymentId)$/.test(key))
      .map((key) => `${id}: a place is given for ${key}, which is no parameter of it`),
  );
  const unused = Object.keys(tables.common).flatMap((key) => (used.has(key) ? [] : `${key} is in no operation`));
  const undocumented = Object.entries(tables.documented).flatMap(([id, keys]) =>
    keys
      .filter((key) => !rows.some((each) => each.op.id === id && isWithin(each.key, key)))
      .map((key) => `${id}: the documented API names ${key}, and the operation lacks it`),
  );
  return [...unplaced, ...absent, ...strange, ...unused, ...undocumented];
}

/** Whether the documented API names a parameter or an object that contains it. */
const isWithin = (key: string, documented: string): boolean =>
  key === documented || key.startsWith(`${documented}.`) || key.startsWith(`${documented}[]`);

/** Returns the parameters as Markdown, one line per operation. */
export function parameterTable(rows: readonly ParameterRow[], titles: ReadonlyMap<string, string>): string {
  const byOperation = Map.groupBy(
    rows.filter(({ key, place }) => place !== commonPlaces[key]).sort(byOperationId),
    ({ op }) => op.id,
  );
  const lines = [...byOperation].map(
    ([id, own]) =>
      `| ${id} | ${own.map(({ key, place }) => `\`${key}\`: ${placeWords(place, titles)}`).join('<br>')} |`,
  );
  const common = Object.entries(commonPlaces).map(([key, place]) => `\`${key}\`: ${placeWords(place, titles)}`);
  return [
    '## Parameters',
    '',
    'Where the value of each parameter comes from. `test/unit/shell/vscode/wire.test.ts` sees each of them on the wire.',
    '',
    `Alike in all operations: ${common.join('; ')}.`,
    '',
    '| operation | parameters |',
    '|---|---|',
    ...lines,
    '',
  ].join('\n');
}

/** Sorts by id: the list of operations has the order of a module’s exports, which differs between tools. */
const byOperationId = (a: ParameterRow, b: ParameterRow): number =>
  a.op.id < b.op.id ? -1 : Number(a.op.id > b.op.id);

function placeWords(place: ParameterPlace | undefined, titles: ReadonlyMap<string, string>): string {
  if (!place) return '—';
  switch (place.by) {
    case 'user':
      return `${titles.get(place.at) ?? `setting \`${place.at}\``}, ${place.as}`;
    case 'product':
      return `filled in: ${place.how}`;
    default:
      return `never sent: ${place.why}`;
  }
}

/** Returns the ids of the manifest’s settings. */
export function contributedSettings(manifest: string): readonly string[] {
  const { contributes } = JSON.parse(manifest) as { readonly contributes: { readonly configuration: unknown } };
  return [contributes.configuration]
    .flat()
    .flatMap((each) => Object.keys((each as { readonly properties?: object }).properties ?? {}));
}

interface DocumentedOperation {
  readonly path: string;
  readonly query?: object;
  /** Its fields, or the name of the shape that has them. */
  readonly body?: { readonly fields?: object | string };
}

function documentedParameters(): Documented {
  const file = readFileSync(join(root, 'test/fixtures/documented-operations.json'), 'utf8');
  const { operations: all, shapes } = JSON.parse(file) as {
    readonly operations: Record<string, DocumentedOperation>;
    readonly shapes: Record<string, { readonly fields: object }>;
  };
  const fieldsOf = (body: DocumentedOperation['body']): object | undefined =>
    typeof body?.fields === 'string' ? shapes[body.fields]?.fields : body?.fields;
  const named = (position: string, fields: object | undefined): readonly string[] =>
    Object.keys(fields ?? {}).map((name) => `${position} ${name.replace(/\?$/, '')}`);
  return Object.fromEntries(
    Object.entries(all).map(([id, { path, query, body }]) => [
      id,
      [
        ...Array.from(path.replace(/^\{chat\}/, '').matchAll(/\{(\w+)\}/g), ([, name]) => `path ${name}`),
        ...named('query', query),
        ...named('body', fieldsOf(body)),
      ],
    ]),
  );
}
