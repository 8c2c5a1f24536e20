import { type Hover, MarkupKind } from 'vscode-languageserver';
import { operator } from '#model/language/shared-keys.ts';
import { queryCursorAt } from '#model/query-files/query-cursor.ts';
import { alternativesOf, type QueryType } from '#model/query-files/shapes.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { OpenedQuery } from '#language-server/workspace/query-files.ts';

/** Describes the key, or the operator of a filter, under the cursor of a query file. */
export function queryWordHover({ file: { text }, positions }: OpenedQuery, offset: number): Hover | null {
  const start = offset - (/\w*$/.exec(text.slice(Math.max(0, offset - LONGEST), offset))?.[0].length ?? 0);
  const word = /^\w*/.exec(text.slice(start, start + LONGEST))?.[0] ?? '';
  const { shape, value } = queryCursorAt(text, start);
  const isKey = /^["']?[ \t]*:/.test(text.slice(start + word.length, start + word.length + LONGEST));
  const key = isKey && shape && Object.hasOwn(shape.keys, word) ? shape.keys[word] : undefined;
  const found = key && shape ? { heading: shape.title, doc: key.doc } : operatorOf(value, word);
  if (!found) return null;
  const contents = { kind: MarkupKind.Markdown, value: `**${word}** · ${found.heading}\n\n${found.doc}` };
  return { contents, range: rangeOf(positions, start, start + word.length) };
}

/** The length of the longest word that is read, in characters. */
const LONGEST = 60;

function operatorOf(
  type: QueryType | undefined,
  word: string,
): { readonly heading: string; readonly doc: string } | undefined {
  const isOffered = type && alternativesOf(type).some((each) => each.is === 'choice' && each.choices.includes(word));
  const choices = operator.is === 'text' ? operator.choices : undefined;
  const doc = isOffered ? choices?.find(({ value }) => value === word)?.doc : undefined;
  return doc === undefined ? undefined : { heading: '`operator`', doc };
}
