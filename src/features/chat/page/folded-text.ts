import type { ViewMessage, ViewTool } from '#features/chat/messages.ts';

/** Everything that a step shows when it is unfolded, as one text for searching. */
export function stepText({ thinking, text, tool }: ViewMessage): string {
  return [thinking, text, tool ? toolText(tool) : ''].join('\n');
}

/** What a tool call shows when it is unfolded. Rows are not among it: they stay in the host. */
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
