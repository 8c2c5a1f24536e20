import { type CodeAction, CodeActionKind } from 'vscode-languageserver';
import type { Problem } from '#model/codes.ts';
import { type EntitySymbol, type MemberSymbol, symbolsOf } from '#model/symbols.ts';
import { findPair, type MapNode } from '#model/syntax/tree.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened, Workspace } from '#language-server/workspace/workspace.ts';

/** Usual names of a key, the likeliest first. */
const KEYS: readonly ((cube: string) => string)[] = [
  () => 'id',
  (cube) => `${cube}_id`,
  (cube) => `${cube.replace(/s$/, '')}_id`,
  () => 'pk',
  () => 'key',
];

/**
 * Gives a cube the primary key that its joins need: turns the dimension that looks like one into the key, or adds one. The
 * problem names the cube as its related location, which may be in another file.
 */
export function addPrimaryKey(problem: Problem, opened: Opened, workspace: Workspace): CodeAction[] {
  const [at] = problem.related ?? [];
  const cube = at && symbolsOf(at.chunk).find(({ nameNode }) => nameNode?.start === at.start);
  const mend = cube && mendOf(cube);
  const placement = cube && opened.root.index.placement(cube.chunk);
  if (!mend || !placement || placement.rendering) return [];
  const offset = placement.start + mend.at;
  const range = rangeOf(workspace.positionsOf(placement.file), offset, offset);
  const changes = { [placement.file.path]: [{ range, newText: mend.text }] };
  return [{ title: mend.title, kind: CodeActionKind.QuickFix, edit: { changes } }];
}

interface Mend {
  readonly title: string;
  readonly at: number;
  readonly text: string;
}

function mendOf(cube: EntitySymbol): Mend | undefined {
  if (cube.chunk.kind === 'script' || cube.chunk.templated) return undefined;
  const known = likelyKey(cube);
  if (known) {
    const title = `Make \`${known.name}\` the primary key of \`${cube.name}\``;
    return { title, at: known.node.pairs.at(-1)?.end ?? known.end, text: entry(known.node, cube) };
  }
  const fresh = newDimension(cube);
  return fresh && { title: `Add a primary key \`id\` to \`${cube.name}\``, ...fresh };
}

/** Returns the dimension whose name suggests that it is the key. */
function likelyKey(cube: EntitySymbol): MemberSymbol | undefined {
  for (const name of KEYS) {
    const member = cube.members.get(name(cube.name));
    if (member?.kind === 'dimension' && !member.has('primary_key', 'primaryKey', 'case', 'latitude')) return member;
  }
  return undefined;
}

function entry(map: MapNode, cube: EntitySymbol): string {
  return map.flow ? ', primary_key: true' : `\n${indentAt(cube.chunk.text, map.start)}primary_key: true`;
}

/**
 * Returns the text that adds the dimension: as the first item of `dimensions`, or as a new list after the last simple key of the
 * cube.
 */
function newDimension(cube: EntitySymbol): { readonly at: number; readonly text: string } | undefined {
  const { node } = cube.entity;
  const { text } = cube.chunk;
  const lines = (indent: string): string =>
    ['- name: id', '  sql: id', '  type: number', '  primary_key: true'].map((line) => `${indent}${line}\n`).join('');
  const list = findPair(node, 'dimensions');
  if (!list) {
    const anchor = node.pairs.findLast(({ value }) => value?.kind === 'scalar') ?? node.pairs.at(-1);
    if (!anchor || node.flow) return undefined;
    const indent = indentAt(text, node.start);
    return { at: anchor.end, text: `\n${indent}dimensions:\n${lines(`${indent}  `).trimEnd()}` };
  }
  if (list.value?.kind !== 'seq' || list.value.flow) return undefined;
  const [first] = list.value.items;
  if (!first) return undefined;
  const dash = text.lastIndexOf('-', first.start);
  return { at: text.lastIndexOf('\n', dash) + 1, text: lines(indentAt(text, dash)) };
}

/** Returns spaces as wide as the text before an offset on its line. */
function indentAt(text: string, offset: number): string {
  return ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));
}
