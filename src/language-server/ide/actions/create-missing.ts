import { type CodeAction, CodeActionKind, type WorkspaceEdit } from 'vscode-languageserver';
import type { Code } from '#model/codes.ts';
import { GRANULARITIES } from '#model/language/shared-keys.ts';
import { chunkAt } from '#model/locate.ts';
import type { Reference } from '#model/references.ts';
import { resolve, type Unknown } from '#model/resolve.ts';
import { type EntitySymbol, symbolsOf } from '#model/symbols.ts';
import { findPair } from '#model/syntax/tree.ts';
import { isIdentifier } from '#model/checks/names.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened, Workspace } from '#language-server/workspace/workspace.ts';
import type { LocatedProblem } from '#language-server/ide/diagnostics.ts';
import { addToSection, newFile } from './new-definition.ts';

/** Codes of problems about a name that does not exist. */
const CODES: ReadonlySet<Code> = new Set(['unknown-reference', 'late-reference', 'unknown-pre-aggregation-member']);

type MissingKind = 'dimension' | 'measure' | 'segment';

const LISTS = { dimension: 'dimensions', measure: 'measures', segment: 'segments' } as const;

/** Creates the cube or member that a reference names and that does not exist. Only adds text. */
export function createMissing(
  { problem, start }: LocatedProblem,
  opened: Opened,
  workspace: Workspace,
  canCreateFiles: boolean,
): CodeAction[] {
  const missing = CODES.has(problem.code) ? missingAt(opened, start) : undefined;
  if (!missing || !isIdentifier(missing.unknown.segment.text)) return [];
  const { unknown, reference, entity } = missing;
  const name = unknown.segment.text;
  if (namesCube(reference, unknown))
    return [quickFix(`Create the cube \`${name}\``, createdCube(name, opened, canCreateFiles))];
  if (!namesMember(reference, unknown)) return [];
  const owner = unknown.within ?? entity;
  if (owner.kind !== 'cube') return [];
  return kindsFor(reference).flatMap((kind) => {
    const edit = createdMember(kind, name, owner, opened, workspace);
    return edit ? [quickFix(`Create the ${kind} \`${name}\` in \`${owner.name}\``, edit)] : [];
  });
}

/** What may follow a member. */
const NOT_MEMBERS: ReadonlySet<string> = new Set(['sql', ...GRANULARITIES]);

/** Checks for the name of a cube. With a name behind it that is not a granularity, it cannot be a member. */
function namesCube({ key, shape, segments: [, next] }: Reference, { kind }: Unknown): boolean {
  if (kind === 'cube' || key === 'extends' || shape === 'join') return true;
  return kind === 'head' && next !== undefined && !NOT_MEMBERS.has(next.text);
}

function namesMember({ segments }: Reference, { kind, segment }: Unknown): boolean {
  if (kind !== 'tail') return kind === 'member' || kind === 'head';
  const next = segments[segments.indexOf(segment) + 1];
  return next === undefined || NOT_MEMBERS.has(next.text);
}

function quickFix(title: string, edit: WorkspaceEdit): CodeAction {
  return { title, kind: CodeActionKind.QuickFix, edit };
}

interface Missing {
  readonly unknown: Unknown;
  readonly reference: Reference;
  readonly entity: EntitySymbol;
}

/** Returns what is missing for the reference whose unknown segment starts at an offset of the file. */
function missingAt({ file, root }: Opened, offset: number): Missing | undefined {
  const placed = chunkAt(file, offset);
  if (!placed || root.index.rendering(file.path)) return undefined;
  for (const entity of symbolsOf(placed.chunk)) {
    for (const reference of entity.references) {
      if (!reference.segments.some((segment) => placed.start + segment.start === offset)) continue;
      const { unknown } = resolve(reference, entity, root.index);
      if (unknown && placed.start + unknown.segment.start === offset) return { unknown, reference, entity };
    }
  }
  return undefined;
}

/** Returns the kinds that a reference can name, the likeliest first. */
function kindsFor({ target, key }: Reference): readonly MissingKind[] {
  if (target === 'dimension' || target === 'measure' || target === 'segment') return [target];
  return key === 'drill_members' ? ['dimension'] : ['dimension', 'measure'];
}

function createdCube(name: string, opened: Opened, canCreateFiles: boolean): WorkspaceEdit {
  const text = [
    'cubes:',
    `  - name: ${name}`,
    `    sql_table: ${name}`,
    '',
    '    dimensions:',
    '      - name: id',
    '        sql: id',
    '        type: number',
    '        primary_key: true',
    '',
  ].join('\n');
  const uri = `${opened.uri.slice(0, opened.uri.lastIndexOf('/'))}/${name}.yml`;
  const isFresh = opened.file.language !== 'yaml' || (canCreateFiles && !opened.root.index.file(uri));
  return isFresh ? newFile(uri, text) : addToSection('cubes', opened, text);
}

const LINES: Readonly<Record<MissingKind, (name: string) => readonly string[]>> = {
  dimension: (name) => [`- name: ${name}`, `  sql: ${name}`, '  type: string'],
  measure: (name) => [`- name: ${name}`, '  type: count'],
  segment: (name) => [`- name: ${name}`, `  sql: "{CUBE}.${name} = true"`],
};

/** Returns the edit that adds a member after the last one of its list; `undefined` if the list is generated or in brackets. */
function createdMember(
  kind: MissingKind,
  name: string,
  owner: EntitySymbol,
  { root }: Opened,
  workspace: Workspace,
): WorkspaceEdit | undefined {
  const placement = root.index.placement(owner.chunk);
  const addition = placement?.rendering ? undefined : additionTo(owner, LISTS[kind], LINES[kind](name));
  if (!placement || !addition) return undefined;
  const at = placement.start + addition.at;
  const range = rangeOf(workspace.positionsOf(placement.file), at, at);
  return { changes: { [placement.file.path]: [{ range, newText: addition.text }] } };
}

function additionTo(
  { entity: { node }, chunk }: EntitySymbol,
  list: string,
  lines: readonly string[],
): { readonly at: number; readonly text: string } | undefined {
  if (chunk.kind === 'script' || chunk.templated || node.flow || node.open) return undefined;
  const found = findPair(node, list);
  if (!found) return linesBelow(chunk.text, node.start, node.end, [`${list}:`, ...lines.map((line) => `  ${line}`)]);
  const { value } = found;
  const last = value?.kind === 'seq' && !value.flow ? value.items.at(-1) : undefined;
  return value && last && linesBelow(chunk.text, value.start, last.end, lines);
}

/** Returns lines that begin in the column of one offset, below the line of another. */
function linesBelow(
  text: string,
  start: number,
  end: number,
  lines: readonly string[],
): { readonly at: number; readonly text: string } {
  const indent = ' '.repeat(columnOf(text, start));
  return { at: lineEnd(text, end), text: lines.map((line) => `\n${indent}${line}`).join('') };
}

/** Returns where the line of an offset ends, before its line break. */
function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at === -1) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
