import * as v from 'valibot';
import { asError } from '#base/async.ts';
import { unreachable } from '#base/result.ts';
import { check } from '#tools/check/check.ts';
import { type OpenedBranch, openDevBranch, syncInput, withPlan } from '#tools/sync/dev-branch.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import type { Edit, ToolPorts } from '#tools/ports.ts';
import { problemSchema } from '#tools/model/problems.ts';
import { pushFile } from './push-file.ts';
import { defineTool, isToolError, type ToolContext, ToolError } from '#tools/tool.ts';

const input = v.object({
  path: v.pipe(
    v.string(),
    v.minLength(1, 'a text that is not empty'),
    v.description('The model file, as answers show its path.'),
  ),
  content: v.optional(v.pipe(v.string(), v.description('The whole new text of the file.'))),
  find: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1, 'a text that is not empty'),
      v.description('A text that is in the file exactly once.'),
    ),
  ),
  replace: v.optional(v.pipe(v.string(), v.description('What replaces the text of “find”.'))),
  remove: v.optional(v.pipe(v.boolean(), v.description('Removes the file.')), false),
  push: v.optional(
    v.pipe(v.boolean(), v.description('Also pushes the file to the dev branch, unless the model has errors now.')),
    false,
  ),
  ...syncInput,
});
type Input = v.InferOutput<typeof input>;

const output = v.object({
  path: v.string(),
  change: v.picklist(['add', 'change', 'delete']),
  passed: v.pipe(v.boolean(), v.description('Whether the model has no errors now.')),
  problems: v.array(problemSchema),
  omitted: v.pipe(v.number(), v.description('Problems beyond the first 100, which are not listed.')),
  pushed: v.pipe(
    v.picklist(['no', 'withheld', 'done', 'failed']),
    v.description('`withheld`: not pushed, because the model has errors. `failed`: see `message`.'),
  ),
  message: v.string(),
  undo: v.pipe(v.string(), v.description('The token with which “undo” restores the former version.')),
});

/** Changes one file of the model, and returns the resulting problems (docs/tools.md#write). */
export const write = defineTool({
  name: 'write',
  title: 'Write Model File',
  description:
    'Changes one file of the data model in the folder (its whole text, one replacement, or its removal), checks the whole model, and returns the problems and a token that “undo” takes. With “push” the file is also pushed to the dev branch, unless the model has errors.',
  risk: 'devBranch',
  reach: 'folder',
  positional: ['path'],
  examples: [
    {
      command: "modelbench write model/orders.yml --find 'type: count' --replace 'type: sum'",
      does: 'Replaces a text that is in the file once.',
    },
    { command: 'modelbench write model/old.yml --remove', does: 'Removes a file.' },
  ],
  input,
  output,
  run: async (ports, given, context) => {
    // A branch that cannot be pushed to is refused before the file changes.
    const to = given.push ? await openDevBranch(ports, given, context) : undefined;
    context.signal.throwIfAborted();
    const edit = await ports.edit(given.path, newText(given));
    // From here on, a cancellation must not hide what was changed and how to undo it.
    const { passed, problems, omitted } = await checked(ports, { ...context, signal: new AbortController().signal });
    const sent = to ? await send(ports, to, edit, passed, context) : notAsked;
    return { path: edit.path, change: edit.change, passed, problems, omitted, ...sent, undo: edit.undo };
  },
  toText: ({ path, change, problems, message, undo }) =>
    [
      ...problems.map(
        (each) =>
          `${pathLine(each.path)}:${each.line}:${each.column}: ${each.severity}: ${oneLine(each.message)} [${each.code}]`,
      ),
      `${doneText(change)} ${pathLine(path)}.${message === '' ? '' : ` ${message}`}`,
      `Undo with: modelbench undo ${undo}`,
    ].join('\n'),
  hasFindings: ({ passed, pushed }) => !passed || pushed === 'failed',
});

interface Sent {
  readonly pushed: 'no' | 'withheld' | 'done' | 'failed';
  readonly message: string;
}

const notAsked: Sent = { pushed: 'no', message: '' };

/**
 * Returns a function from the old to the new text of the file; throws `ToolError` if the input does not specify it in exactly one
 * way.
 */
function newText({ content, find, replace, remove }: Input): (before: string | undefined) => string | undefined {
  const ways = [content !== undefined, find !== undefined || replace !== undefined, remove].filter(Boolean).length;
  if (ways !== 1 || (find === undefined) !== (replace === undefined))
    throw new ToolError('usage', 'Give either “content”, or “find” and “replace”, or “remove”.');
  return (before) => {
    if (remove) return undefined;
    if (find === undefined) return content;
    const pieces = (before ?? '').split(find);
    if (pieces.length === 2) return pieces.join(replace ?? '');
    const count = pieces.length - 1;
    throw new ToolError(
      'usage',
      `The text of “find” is in the file ${count === 0 ? 'nowhere' : `${count} times`}; it must be there exactly once. Nothing was changed.`,
    );
  };
}

async function checked(
  ports: ToolPorts,
  context: ToolContext,
): Promise<{
  readonly passed: boolean;
  readonly problems: v.InferOutput<typeof problemSchema>[];
  readonly omitted: number;
}> {
  try {
    return v.parse(check.output, (await check.run(ports, { limit: 100 }, context)).value) as Awaited<
      ReturnType<typeof checked>
    >;
  } catch (error) {
    // The last file of the model was removed.
    if (isToolError(error)) return { passed: true, problems: [], omitted: 0 };
    throw error;
  }
}

const LINKED_ELSEWHERE = 'It was not pushed, because the folder has been linked to something else since.';

/** Pushes an edit to the branch that was found before it: the key may be in dev mode on another one by now. */
async function send(
  ports: ToolPorts,
  { branch, deployment, tenantUrl, linkedDeployment }: OpenedBranch,
  edit: Edit,
  passed: boolean,
  context: ToolContext,
): Promise<Sent> {
  if (!passed) return { pushed: 'withheld', message: 'It was not pushed, because the model has errors.' };
  try {
    return await withPlan(ports, { branch, deployment: deployment.id }, context, async (opened): Promise<Sent> => {
      const isSame = opened.tenantUrl === tenantUrl && opened.linkedDeployment === linkedDeployment;
      const reason = isSame ? await pushFile(opened, edit, context.signal) : LINKED_ELSEWHERE;
      return reason === undefined
        ? { pushed: 'done', message: `Pushed to ${opened.branch}.` }
        : { pushed: 'failed', message: reason };
    });
  } catch (error) {
    // The file has already changed: the answer contains the token that undoes this.
    return {
      pushed: 'failed',
      message: context.signal.aborted ? 'Stopped before it was pushed.' : asError(error).message,
    };
  }
}

function doneText(change: Edit['change']): string {
  switch (change) {
    case 'add':
      return 'Added';
    case 'change':
      return 'Changed';
    case 'delete':
      return 'Removed';
    default:
      return unreachable(change);
  }
}
