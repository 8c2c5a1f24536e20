import * as v from 'valibot';
import { pathLine } from '#tools/one-line.ts';
import { defineTool } from '#tools/tool.ts';

/** Restores the version of a file from before `write` (docs/tools.md#undo). */
export const undo = defineTool({
  name: 'undo',
  title: 'Undo Write',
  description:
    'Restores the version of a model file from before a “write”, by the token of its answer. Refused where the file was changed since. Changes the folder only; “push” uploads it.',
  risk: 'devBranch',
  reach: 'folder',
  positional: ['token'],
  examples: [{ command: 'modelbench undo TOKEN', does: 'Undoes the write whose answer has this token.' }],
  input: v.object({ token: v.pipe(v.string(), v.description('The token that “write” returned.')) }),
  output: v.object({ path: v.string() }),
  run: async (ports, { token }) => ({ path: await ports.undo(token) }),
  toText: ({ path }) => `${pathLine(path)} is as it was.`,
});
