import { type ModelFile, parseFile } from '../file.ts';
import type { MapNode } from '../syntax/tree.ts';
import { foldKey, namedItems, SECTIONS } from './names.ts';
import { type Parent, parentOfBlock, sectionOfMembers } from './parent.ts';
import { dedented } from './text-edits.ts';
import { Unsure } from './unsure.ts';

/** Wraps a piece of JavaScript into a script of its own, with the call and the section that it belongs in. */
export function scriptPiece(written: string, base: ModelFile, words: ReadonlySet<string>): string {
  const text = dedented(written).trim();
  if (entitiesOf(base.path, text)) return text;
  const body = text.replace(/[,;]\s*$/, '');
  const [entity] = entitiesOf(base.path, call({ kind: 'cube', name: '_' }, body)) ?? [];
  if (!entity || entity.pairs.length === 0 || entity.open) throw new Unsure('It is not a piece of a model.');
  const keys = entity.pairs.map(({ key }) => foldKey(key.value));
  if (keys.every((key) => SECTIONS.has(key))) return call(parentOfBlock(base, words, keys), body);
  const members = namedItems(entity);
  if (!members) throw new Unsure('It does not say which cube or view it belongs to.');
  const { parent, section } = sectionOfMembers(base, words, members);
  return call(parent, `  ${section}: {\n${body}\n  }`);
}

function entitiesOf(path: string, text: string): readonly MapNode[] | undefined {
  const { chunks, problems } = parseFile(path, text);
  const entities = chunks.flatMap(({ chunk }) => chunk.entities.map(({ node }) => node));
  const isRead = problems.length === 0 && chunks.every(({ chunk }) => chunk.problems.length === 0);
  return isRead && entities.length > 0 ? entities : undefined;
}

function call({ kind, name }: Parent, body: string): string {
  return `${kind}(${JSON.stringify(name)}, {\n${body}\n});\n`;
}
