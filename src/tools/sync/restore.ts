import * as v from 'valibot';
import { isInside } from '#base/path.ts';
import { sortableTime } from '#base/timestamps.ts';
import { formatBytes, plural } from '#base/words.ts';
import type { TrashItem } from '#sync/core/ports.ts';
import { causeText } from '#sync/core/undo/trash-cause.ts';
import { limitInput } from '#tools/limit-input.ts';
import { pathLine } from '#tools/one-line.ts';
import { defineTool, ToolError } from '#tools/tool.ts';

const versionSchema = v.object({
  version: v.pipe(v.string(), v.description('The id with which it is restored.')),
  path: v.string(),
  time: v.pipe(v.string(), v.description('When it was replaced or deleted, in ISO 8601.')),
  size: v.pipe(v.number(), v.description('In bytes.')),
  reason: v.string(),
});
type Version = v.InferOutput<typeof versionSchema>;

/** Lists the versions of files that sync replaced or deleted, and restores one (docs/tools.md#restore). */
export const restore = defineTool({
  name: 'restore',
  title: 'Restore from Trash',
  description:
    'Lists the versions of files that push, pull, resolve, deploy or an earlier restore replaced or deleted, newest first. With “version” it restores that one in the folder; what it replaces goes to the trash as well. Changes the folder only; “push” uploads it.',
  risk: 'devBranch',
  reach: 'folder',
  positional: ['version'],
  examples: [
    { command: 'modelbench restore', does: 'Lists the stored versions, newest first.' },
    { command: 'modelbench restore --path model/orders.yml', does: 'Lists those of one file.' },
    { command: 'modelbench restore VERSION', does: 'Restores the version with this id.' },
  ],
  input: v.object({
    version: v.optional(v.pipe(v.string(), v.description('The id of a version, from the list.'))),
    path: v.optional(
      v.pipe(v.string(), v.description('The file whose versions are listed, or a folder; without one, all.')),
    ),
    limit: limitInput('The most versions that are listed.', 50),
  }),
  output: v.object({
    versions: v.array(versionSchema),
    omitted: v.pipe(v.number(), v.description('Versions beyond the limit, which are not listed.')),
    restored: v.optional(v.string()),
    replaced: v.optional(v.pipe(v.string(), v.description('The id of the version that was in the place of the file.'))),
  }),
  run: async ({ trash }, { version, path, limit }) => {
    if (version !== undefined) {
      const done = await trash.restore(version);
      if (!done) {
        throw new ToolError('usage', `The trash has no version “${version}”. “restore” without a version lists them.`);
      }
      const { path: restored, replaced } = done;
      return { versions: [], omitted: 0, restored, ...(replaced === undefined ? {} : { replaced }) };
    }
    const found = (await trash.list())
      .filter((item) => path === undefined || item.path === path || isInside(item.path, path))
      .toSorted((a, b) => b.time - a.time);
    return { versions: found.slice(0, limit).map(shown), omitted: Math.max(0, found.length - limit) };
  },
  toText: ({ versions, omitted, restored, replaced }) => {
    if (restored !== undefined) {
      const before =
        replaced === undefined ? '' : ` The version before is in the trash: modelbench restore ${replaced}`;
      return `Restored ${pathLine(restored)}.${before}`;
    }
    if (versions.length === 0) return 'The trash has no such version.';
    const more = omitted === 0 ? [] : [`… and ${plural(omitted, 'more version')}`];
    return [...versions.map(lineOf), ...more].join('\n');
  },
});

function shown({ id, path, time, size, ...why }: TrashItem): Version {
  return { version: id, path, time: utc(time), size, reason: causeText(why) };
}

/** Returns a time in UTC; a damaged note may hold one that no date has. */
function utc(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

function lineOf({ version, path, time, size, reason }: Version): string {
  return `${version}  ${sortableTime(time, 19)}  ${pathLine(path)}  (${formatBytes(size)}, ${reason})`;
}
