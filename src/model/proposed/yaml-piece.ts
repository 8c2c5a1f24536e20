import type { ModelFile } from '../file.ts';
import { maskJinja } from '#model/syntax/jinja/jinja.ts';
import { parseYaml } from '../syntax/parse.ts';
import { findPair, type MapNode, textOf, type TreeNode } from '../syntax/tree.ts';
import { foldKey, nameOf, SECTIONS } from './names.ts';
import { type Parent, parentOfBlock, sectionOfMembers } from './parent.ts';
import { dedented, indented } from './text-edits.ts';
import { Unsure } from './unsure.ts';

/**
 * Wraps a piece of YAML into a file of its own, with the section, cube and list that it belongs under. Throws {@link Unsure} if
 * that is uncertain.
 */
export function yamlPiece(written: string, base: ModelFile, words: ReadonlySet<string>): string {
  const text = dedented(written).trim();
  const node = readWhole(text);
  if (node?.kind === 'map') return pieceOfMap(text, node, base, words);
  if (node?.kind === 'seq') return pieceOfList(text, mapsOf(node), base, words);
  throw new Unsure('It is not a piece of a model.');
}

function readWhole(text: string): TreeNode | undefined {
  const { node, problems } = parseYaml(maskJinja(text).text);
  if (problems.length > 0) throw new Unsure('It cannot be read as YAML.');
  return node;
}

function mapsOf({ items }: { readonly items: readonly (TreeNode | undefined)[] }): readonly MapNode[] {
  return items.map((item) => {
    if (item?.kind !== 'map' || nameOf(item) === undefined) throw new Unsure('It is a list of items without names.');
    return item;
  });
}

function pieceOfMap(text: string, node: MapNode, base: ModelFile, words: ReadonlySet<string>): string {
  const keys = node.pairs.map(({ key }) => foldKey(key.value));
  if (keys.every((key) => ['cubes', 'views', 'viewgroups'].includes(key)) && !isListOfPaths(node)) return text;
  if (findPair(node, 'name')) return pieceOfList(`- ${indented(text, 2).trimStart()}`, [node], base, words);
  if (!keys.every((key) => SECTIONS.has(key))) throw new Unsure('It does not say which cube or view it belongs to.');
  return under(parentOfBlock(base, words, keys), indented(text, 4));
}

/** Checks for `cubes` of a view, not of a file. */
function isListOfPaths(node: MapNode): boolean {
  const list = findPair(node, 'cubes')?.value;
  return list?.kind === 'seq' && list.items.some((item) => item?.kind === 'map' && textOf(item, 'name') === undefined);
}

function pieceOfList(text: string, items: readonly MapNode[], base: ModelFile, words: ReadonlySet<string>): string {
  const kinds = new Set(items.map(entityKind));
  const [kind, ...others] = kinds;
  if (others.length > 0) throw new Unsure('It mixes cubes or views with parts of them.');
  if (kind) return `${kind}:\n${indented(text, 2)}`;
  const members = items.map((node) => ({ name: nameOf(node) ?? '', node }));
  const { parent, section } = sectionOfMembers(base, words, members);
  return under(parent, `    ${section}:\n${indented(text, 6)}`);
}

/**
 * Returns the list of a file that an item belongs to, judged by its keys; `undefined` if it is only a fragment of a cube or view.
 */
function entityKind(item: MapNode): 'cubes' | 'views' | undefined {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => findPair(item, key) !== undefined);
  const holds = (key: string): boolean => {
    const list = findPair(item, key)?.value;
    return list?.kind === 'seq' && list.items.some((entry) => entry?.kind === 'map');
  };
  if (holds('cubes') || holds('folders')) return 'views';
  const isCube = ['dimensions', 'measures', 'segments', 'joins', 'pre_aggregations', 'hierarchies'].some(holds);
  return isCube || has('sql_table', 'sqlTable') ? 'cubes' : undefined;
}

function under({ kind, name }: Parent, body: string): string {
  return `${kind === 'cube' ? 'cubes' : 'views'}:\n  - name: ${JSON.stringify(name)}\n${body}`;
}
