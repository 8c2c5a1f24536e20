import type { MetaCube } from '#api/data/data-operations.ts';
import type { DataQuery } from '#api/data/data.ts';
import { err, ok, type Result } from '#base/result.ts';
import { sqlLines, valueLines } from '#features/data/index.ts';
import type { MemberTarget } from './messages.ts';

/** The number of rows in a preview. */
const PREVIEW_ROWS = 100;

/**
 * Returns SQL that reads rows of a cube or view, the values of a dimension, or the value of a measure from the model. It uses the
 * environment's metadata, because the query runs on that model. The error states what to do.
 */
export function previewSql(target: MemberTarget, cubes: readonly MetaCube[]): Result<string, string> {
  const found = find(target, cubes);
  if (!found.ok) return found;
  const { cube, member } = found.value;
  const from = `FROM ${quote(cube.name)}`;
  if (!member) {
    const columns = visible(cube.dimensions).map(({ name }) => quote(lastPart(name)));
    if (columns.length > 0) return ok(`SELECT ${columns.join(', ')} ${from} LIMIT ${PREVIEW_ROWS}`);
    const measures = visible(cube.measures).map(({ name }) => measure(lastPart(name)));
    return measures.length > 0
      ? ok(`SELECT ${measures.join(', ')} ${from}`)
      : err(`“${cube.name}” has no public dimension or measure to show.`);
  }
  const name = lastPart(member.name);
  return cube.measures.includes(member)
    ? ok(`SELECT ${measure(name)} ${from}`)
    : ok(`SELECT ${quote(name)} ${from} GROUP BY 1 ORDER BY 1 LIMIT ${PREVIEW_ROWS}`);
}

/** Returns the query of a cube, view or member whose SQL is shown: all public dimensions and measures, or the one. */
export function compiledQuery(target: MemberTarget, cubes: readonly MetaCube[]): Result<DataQuery, string> {
  const found = find(target, cubes);
  if (!found.ok) return found;
  const { cube, member } = found.value;
  if (member) return ok(cube.measures.includes(member) ? { measures: [member.name] } : { dimensions: [member.name] });
  const dimensions = visible(cube.dimensions).map(({ name }) => name);
  const measures = visible(cube.measures).map(({ name }) => name);
  return dimensions.length + measures.length > 0
    ? ok({ dimensions, measures })
    : err(`“${cube.name}” has no public dimension or measure to compile.`);
}

/** Formats a statement for reading: its subject, its values, and its text. */
export function compiledText(
  title: string,
  { sql, values }: { readonly sql: string; readonly values: readonly unknown[] },
): string {
  return [`-- ${title}`, ...valueLines(values), sqlLines(sql), ''].join('\n');
}

type MetaMember = MetaCube['measures'][number];

function find(
  { name }: MemberTarget,
  cubes: readonly MetaCube[],
): Result<{ readonly cube: MetaCube; readonly member: MetaMember | undefined }, string> {
  const [cubeName = '', memberName] = name.split('.');
  const cube = cubes.find((candidate) => candidate.name === cubeName);
  if (!cube) return err(notThere(cubeName));
  if (memberName === undefined) return ok({ cube, member: undefined });
  const member = [...cube.measures, ...cube.dimensions].find((candidate) => candidate.name === name);
  return member ? ok({ cube, member }) : err(notThere(name));
}

function notThere(name: string): string {
  return `“${name}” is not in the model that the platform runs, or it is not public there. Save or push your changes, wait for the build, and try again.`;
}

function visible(members: readonly MetaMember[]): readonly MetaMember[] {
  const shown = members.filter(({ isVisible, public: isPublic }) => isVisible !== false && isPublic !== false);
  return shown.filter(({ type }) => type !== 'geo');
}

function measure(name: string): string {
  return `MEASURE(${quote(name)}) AS ${quote(name)}`;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
