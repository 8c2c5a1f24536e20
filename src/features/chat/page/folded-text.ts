import type { ViewMessage, ViewTool } from '#features/chat/messages.ts';

/** Returns everything that an unfolded step shows, as one text for searching. */
export function stepText({ thinking, text, tool }: ViewMessage): string {
  return [thinking, text, tool ? toolText(tool) : ''].join('\n');
}

/** Returns the text of an unfolded tool call, without its rows: they stay in the host. */
export function toolText({ summary, error, detail }: ViewTool): string {
  const head = [summary, error ?? ''];
  switch (detail.kind) {
    case 'meta': {
      const found = detail.cubes.flatMap((cube) => [cube.title, ...cube.members.map((member) => member.title)]);
      return [...head, detail.query, ...found].join('\n');
    }
    case 'sql':
      return [...head, detail.description, detail.sql, ...detail.columns.map(({ name }) => name)].join('\n');
    default:
      return [...head, detail.input, detail.result].join('\n');
  }
}
