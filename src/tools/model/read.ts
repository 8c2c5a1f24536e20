import { smallest } from '#base/long-lists.ts';
import * as v from 'valibot';
import { plural } from '#base/words.ts';
import { rangeInFile } from '#model/index.ts';
import { aliasOf, type Usage, usagesOf } from '#model/usages/usages.ts';
import { definitionOf, definitionSchema, kindOf, kinds, type Named, named } from './definitions.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import { type OpenedModel, openModel } from './opened-model.ts';
import { locationEntries } from './problems.ts';
import { definitionLine } from './search.ts';
import { defineTool, ToolError } from '#tools/tool.ts';
import { limitInput } from '#tools/limit-input.ts';

const output = v.object({
  definition: definitionSchema,
  source: v.pipe(v.string(), v.description('The text of the definition, as it is in its file.')),
  members: v.array(v.object({ name: v.string(), kind: v.picklist(kinds), type: v.optional(v.string()) })),
  uses: v.array(
    v.object({
      in: v.pipe(v.string(), v.description('The cube or view that the use is in.')),
      key: v.pipe(v.string(), v.description('The key of the language that holds it.')),
      ...locationEntries,
    }),
  ),
  omitted: v.pipe(v.number(), v.description('Uses beyond the limit, which are not listed.')),
});
type Answer = v.InferOutput<typeof output>;

/** Shows one cube, view or member: its text, its members and its uses (docs/tools.md#read). */
export const read = defineTool({
  name: 'read',
  title: 'Read Definition',
  description:
    'Shows one cube, view or member of the data model: its source text, its documentation, the members of a cube or view (own, inherited and included ones), and every use of it. Use it before changing or removing a definition.',
  risk: 'read',
  reach: 'folder',
  positional: ['name'],
  examples: [
    { command: 'modelbench read orders', does: 'Shows the cube orders with its members.' },
    { command: 'modelbench read orders.count --format json', does: 'Gives a script the measure and its uses.' },
  ],
  input: v.object({
    name: v.pipe(v.string(), v.description('A cube, view or member as queries write it: `orders` or `orders.count`.')),
    limit: limitInput('The most uses that are listed.', 100),
  }),
  output,
  run: async (ports, { name, limit }, context) => {
    const opened = await openModel(ports, context);
    const found = named(opened, name);
    const definition = definitionOf(opened, found);
    if (!definition) throw new ToolError('usage', `“${name}” is only known when the model runs.`);
    const uses = usesOf(opened, found);
    const listed = uses.slice(0, limit);
    return {
      definition,
      source: sourceOf(opened, found),
      members: membersOf(opened, found),
      uses: listed,
      omitted: uses.length - listed.length,
    };
  },
  toText: ({ definition, source, members, uses, omitted }) =>
    [
      definitionLine(definition),
      '',
      source,
      ...(members.length === 0 ? [] : ['', `${plural(members.length, 'member')}:`]),
      ...members.map(
        ({ name, kind, type }) =>
          `  ${oneLine(name)} (${oneLine([kind.replace('_', '-'), type].filter(Boolean).join(' '))})`,
      ),
      '',
      uses.length === 0 ? 'Nothing in the model uses it.' : `${plural(uses.length + omitted, 'use')}:`,
      ...uses.map((use) => `  ${pathLine(use.path)}:${use.line}:${use.column}: ${use.key} of ${oneLine(use.in)}`),
      ...(omitted === 0 ? [] : [`  ${omitted} more not listed.`]),
    ].join('\n'),
});

/** Returns the text of a definition without the indentation that all of its lines share. */
function sourceOf(opened: OpenedModel, found: Named): string {
  const [written, chunk] =
    found.is === 'entity'
      ? [{ start: found.entity.entity.node.start, end: found.entity.entity.node.end }, found.entity.chunk]
      : [found.member.member, found.member.member.owner.chunk];
  const nameNode = found.is === 'entity' ? found.entity.nameNode : found.member.member.nameNode;
  const start = Math.min(written.start, nameNode?.start ?? Infinity);
  const placed = opened.index.placement(chunk);
  // The text that a template renders to is not the text in its file.
  const range = placed?.rendering ? rangeInFile(placed, start, written.end) : { start, end: written.end };
  const text = placed?.rendering ? placed.file.text : chunk.text;
  const lineStart = text.lastIndexOf('\n', range.start - 1) + 1;
  const [first = '', ...rest] = text.slice(range.start, range.end).split('\n');
  const shared = smallest([range.start - lineStart, ...rest.filter((line) => line.trim() !== '').map(indentOf)]);
  return [first, ...rest.map((line) => line.slice(shared))].join('\n').trimEnd();
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function membersOf({ index }: OpenedModel, found: Named): Answer['members'] {
  if (found.is === 'member' || found.entity.kind === 'viewGroup') return [];
  const { entity } = found;
  return [...index.membersOf(entity).byName.values()].map((member) => {
    const type = member.member.text('type');
    const kind = kindOf({ is: 'member', entity, member });
    return { name: member.name, kind, ...(type === undefined ? {} : { type }) };
  });
}

function usesOf(opened: OpenedModel, found: Named): Answer['uses'] {
  return subjectUsages(opened, found).flatMap(({ role, entity, start, end, reference }) => {
    const location = role === 'definition' ? undefined : opened.locationOf(entity.chunk, start, end);
    return location ? [{ in: entity.name, key: reference?.key ?? '', ...location }] : [];
  });
}

function subjectUsages({ index }: OpenedModel, found: Named): readonly Usage[] {
  if (found.is === 'entity') return usagesOf({ is: 'entity', entity: found.entity }, index);
  const alias = found.entity.kind === 'view' ? aliasOf(found.member) : undefined;
  if (alias) return usagesOf(alias, index);
  return usagesOf({ is: 'member', member: found.member.member }, index);
}
