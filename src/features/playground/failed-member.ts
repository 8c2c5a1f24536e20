import { type Draft, timeColumn } from './draft.ts';

/** A member of a query, and its field on the page. */
export interface DraftMember {
  readonly field: string;
  readonly name: string;
}

/** Returns the members of a draft with their fields, each once, in the order of the page. */
export function draftMembers(draft: Draft): readonly DraftMember[] {
  const all: readonly DraftMember[] = [
    ...draft.measures.map((name) => ({ field: 'measures', name })),
    ...draft.dimensions.map((name) => ({ field: 'dimensions', name })),
    ...draft.segments.map((name) => ({ field: 'segments', name })),
    ...(draft.time.dimension === '' ? [] : [{ field: 'time', name: draft.time.dimension }]),
    ...draft.filters.flatMap((group, at) =>
      group.map(({ member }, index) => ({ field: `filters.${at}.${index}`, name: member })),
    ),
  ];
  return all.filter(({ name }, at) => name !== '' && all.findIndex((other) => other.name === name) === at);
}

/**
 * Resolves to the member of a query that caused an error of the engine or the database: the only one that the error names, as
 * `orders.count`, as the column `orders__count`, or by its own name in quotes; otherwise the only one whose SQL (`sqlOf`)
 * contains a name that the error quotes.
 */
export async function failedMember(
  message: string,
  draft: Draft,
  sqlOf: (member: DraftMember) => Promise<string | undefined>,
): Promise<DraftMember | undefined> {
  const members = draftMembers(draft);
  const column = timeColumn(draft.time);
  const named = members.filter(
    ({ name }) => names(message, name) || (column?.startsWith(`${name}.`) && names(message, column)),
  );
  if (named.length > 0) return only(named);
  const quoted = quotedIn(message);
  const own = members.filter(({ name }) => quoted.some((text) => text === name.slice(name.indexOf('.') + 1)));
  if (own.length > 0) return only(own);
  if (quoted.length === 0) return undefined;
  const texts = await Promise.all(members.map(async (member) => ({ member, sql: (await sqlOf(member)) ?? '' })));
  return only(texts.filter(({ sql }) => quoted.some((text) => hasWord(sql, text))).map(({ member }) => member));
}

const only = <T>(all: readonly T[]): T | undefined => (all.length === 1 ? all[0] : undefined);

function names(message: string, name: string): boolean {
  return hasWord(message, name) || hasWord(message, name.replaceAll('.', '__'));
}

/** Whether a text contains a word, but not within a longer name: `orders.count` is not in `orders.count_all`. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + word.length] ?? '')) return true;
  }
  return false;
}

/** Returns names in quotes or backticks, and columns that databases name without quotes: `column o.amount does not exist`. */
function quotedIn(message: string): readonly string[] {
  const found = [...message.matchAll(/["'`“‘[]([\w.$-]{1,80})["'`”’\]]|\bcolumn\s+([\w.$]{1,80})/gi)];
  const texts = found.map(([, quoted, bare]) => quoted ?? bare ?? '');
  return [...new Set(texts.map((text) => text.slice(text.lastIndexOf('.') + 1)))].filter((text) => text !== '');
}
