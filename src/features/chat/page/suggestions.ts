import { TASK_NAMES, type TaskName, type ViewMention, type ViewToHost } from '#features/chat/messages.ts';

/** An item that the composer offers after `/` or `@`. */
export interface Suggestion {
  readonly id: string;
  /** The text to type, with its mark, or the name of the item. */
  readonly word: string;
  readonly detail: string;
  /** The kind of a name. */
  readonly kind?: ViewMention['kind'] | undefined;
  /** The text that replaces the mark in the draft. */
  readonly insert: string;
  /** The message for the host; `threads` opens the view's own list. */
  readonly does?: ViewToHost | 'threads' | undefined;
}

const TASKS: Readonly<Record<TaskName, string>> = {
  explain: 'Say what something means and how it is computed',
  fix: 'Find the cause of problems and propose a change',
  measure: 'Turn a question or SQL into a measure',
  test: 'Write tests for a query or member',
  review: 'Review the changes of the branch',
};
const COMMANDS: readonly Suggestion[] = [
  ...TASK_NAMES.map((name) => ({ ...command(`/${name}`, TASKS[name]), insert: `/${name} ` })),
  command('/new', 'Begin a new thread', { type: 'newThread' }),
  command('/threads', 'Show all threads', 'threads'),
  command('/export', 'Open this thread as Markdown', { type: 'export' }),
  command('/link', 'Copy a link to this thread', { type: 'copyLink' }),
  command('/agent', 'Use another agent or credential', { type: 'setUp', what: 'agent' }),
];
const ATTACHMENTS: readonly Suggestion[] = [
  command('@file', 'Attach a file', { type: 'attach', what: 'file' }),
  command('@selection', 'Attach the selected text, or the open file', { type: 'attach', what: 'selection' }),
  command('@member', 'Attach a cube, view or member of the model', { type: 'attach', what: 'member' }),
  command('@problems', 'Attach the problems of the open file', { type: 'attach', what: 'problems' }),
];

/** Returns suggestions for the text before the cursor: commands at the very beginning, names and attachments anywhere. */
export function suggestionsFor(before: string, mentions: readonly ViewMention[]): readonly Suggestion[] {
  if (/^\/\w*$/.test(before)) return COMMANDS.filter(({ word }) => word.startsWith(before.toLowerCase()));
  const query = mentionQuery(before);
  if (query === undefined) return [];
  const attachments = ATTACHMENTS.filter(({ word }) => word.startsWith(`@${query.toLowerCase()}`));
  return [...attachments, ...mentions.map(ofMention)];
}

/** Returns the name being typed before the cursor; `undefined` if there is none. */
export function mentionQuery(before: string): string | undefined {
  return /(?:^|[\s(])@([\w./-]*)$/.exec(before)?.[1];
}

/** Returns the text before the cursor, with the mark replaced by the suggestion. */
export function withSuggestion(before: string, { insert }: Suggestion): string {
  return before.replace(/(?:^\/\w*|@[\w./-]*)$/, () => insert);
}

function command(word: string, detail: string, does?: Suggestion['does']): Suggestion {
  return { id: word, word, detail, insert: '', does };
}

/** A name stays in the sentence; a problem is only attached. */
function ofMention({ id, kind, label, detail }: ViewMention): Suggestion {
  const insert = kind === 'problem' ? '' : `${label} `;
  return { id, word: label, detail, kind, insert, does: { type: 'mention', id } };
}
