import * as v from 'valibot';
import {
  type Definition,
  definitionOf,
  definitionSchema,
  kindOf,
  kinds,
  type Named,
  nameOf,
  namesOf,
} from './definitions.ts';
import { type OpenedModel, openModel } from './opened-model.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import { defineTool } from '#tools/tool.ts';
import { limitInput } from '#tools/limit-input.ts';

/** Finds cubes, views and members by name, title or description (docs/tools.md#search). */
export const search = defineTool({
  name: 'search',
  title: 'Search Data Model',
  description:
    'Finds cubes, views, measures, dimensions and other members of the data model by a substring of their name, title or description, with the file and line that defines each.',
  risk: 'read',
  reach: 'folder',
  positional: ['query'],
  examples: [
    { command: 'modelbench search revenue', does: 'Lists every name, title and description with “revenue”.' },
    { command: 'modelbench search orders. --kind measure', does: 'Lists the measures of the cube orders.' },
  ],
  input: v.object({
    query: v.pipe(v.string(), v.description('A substring of a name, title or description; empty for all names.')),
    kind: v.optional(v.pipe(v.picklist(kinds), v.description('Lists only names of this kind.'))),
    limit: limitInput('The most names that are listed.', 50),
  }),
  output: v.object({
    matches: v.array(definitionSchema),
    omitted: v.pipe(v.number(), v.description('Matches beyond the limit, which are not listed.')),
  }),
  run: async (ports, { query, kind, limit }, context) => {
    const opened = await openModel(ports, context);
    const wanted = query.toLowerCase();
    const ranked = searchableIn(opened).flatMap((each) => {
      const { found } = each;
      if (kind !== undefined && kindOf(found) !== kind) return [];
      const rank = rankOf(wanted, each);
      return rank === undefined ? [] : [{ rank, found }];
    });
    ranked.sort((one, other) => one.rank - other.rank);
    const listed = ranked.slice(0, limit);
    return {
      matches: listed.flatMap(({ found }) => definitionOf(opened, found) ?? []),
      omitted: ranked.length - listed.length,
    };
  },
  toText: ({ matches, omitted }) => {
    if (matches.length === 0) return 'No name of the data model matches.';
    const lines = matches.map((match) => definitionLine(match));
    return [...lines, ...(omitted === 0 ? [] : [`${omitted} more not listed.`])].join('\n');
  },
});

/** Formats a definition on one line, with its kind and location. */
export function definitionLine({ name, kind, type, path, line, description }: Definition): string {
  const what = [kind.replace('_', '-'), type].filter((word) => word !== undefined).join(' ');
  const about = description === undefined ? '' : `  ${oneLine(description, 100)}`;
  return `${oneLine(name)} (${oneLine(what)})  ${pathLine(path)}:${line}${about}`;
}

/** A name with the texts to search, in lower case. */
interface Searchable {
  readonly found: Named;
  readonly name: string;
  /** Title and description. */
  readonly texts: readonly string[];
}

/** The names of models that were already searched: a model has tens of thousands, which are the same for each search. */
const searched = new WeakMap<OpenedModel, readonly Searchable[]>();

function searchableIn(opened: OpenedModel): readonly Searchable[] {
  const known = searched.get(opened);
  if (known) return known;
  const all = [...namesOf(opened)].map((found) => {
    const written = found.is === 'entity' ? found.entity : found.member.member;
    const texts = [written.text('title'), written.text('description')];
    return { found, name: nameOf(found).toLowerCase(), texts: texts.flatMap((text) => text?.toLowerCase() ?? []) };
  });
  searched.set(opened, all);
  return all;
}

/**
 * Ranks how well a name matches, best first: it is equal, begins with the text, has a word that begins with it, contains it, or
 * has it in its title or description.
 */
function rankOf(wanted: string, { name: whole, texts }: Searchable): number | undefined {
  const own = whole.slice(whole.indexOf('.') + 1);
  if (whole === wanted || own === wanted) return 0;
  if (whole.startsWith(wanted) || own.startsWith(wanted)) return 1;
  const at = whole.indexOf(wanted);
  if (at > 0) return /[._]/.test(whole.charAt(at - 1)) ? 2 : 3;
  return texts.some((text) => text.includes(wanted)) ? 4 : undefined;
}
