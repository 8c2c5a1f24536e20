import type { ViewToHost } from '#features/chat/messages.ts';

/** Something that the composer offers while one types `/` or `@`. */
export interface Suggestion {
  /** What one types, with its mark. */
  readonly word: string;
  readonly detail: string;
  /** What is asked of the host; `threads` is the view's own. */
  readonly does: ViewToHost | 'threads';
}

const COMMANDS: readonly Suggestion[] = [
  { word: '/new', detail: 'Begin a new thread', does: { type: 'newThread' } },
  { word: '/threads', detail: 'Show all threads', does: 'threads' },
  { word: '/export', detail: 'Open this thread as Markdown', does: { type: 'export' } },
  { word: '/link', detail: 'Copy a link to this thread', does: { type: 'copyLink' } },
  { word: '/agent', detail: 'Use another agent or credential', does: { type: 'setUp', what: 'agent' } },
];
const ATTACHMENTS: readonly Suggestion[] = [
  { word: '@file', detail: 'Attach a file', does: { type: 'attach', what: 'file' } },
  {
    word: '@selection',
    detail: 'Attach the selected text, or the open file',
    does: { type: 'attach', what: 'selection' },
  },
  { word: '@member', detail: 'Attach a cube, view or member of the model', does: { type: 'attach', what: 'member' } },
  { word: '@problems', detail: 'Attach the problems of the open file', does: { type: 'attach', what: 'problems' } },
];

/** What fits the words before the cursor: commands at the very beginning, attachments anywhere. */
export function suggestionsFor(before: string): readonly Suggestion[] {
  if (/^\/\w*$/.test(before)) return COMMANDS.filter(({ word }) => word.startsWith(before.toLowerCase()));
  const mark = /(?:^|\s)(@\w*)$/.exec(before)?.[1]?.toLowerCase();
  return mark === undefined ? [] : ATTACHMENTS.filter(({ word }) => word.startsWith(mark));
}

/** The words without the mark that led to the suggestion. */
export function withoutMark(before: string): string {
  return before.replace(/(?:^\/|@)\w*$/, '');
}
