import { createHash } from 'node:crypto';
import type { NamedOperation } from './documented.ts';
import { type Answered, type Mode } from './mode.ts';
import { isRecord } from './types.ts';

/** The statuses that servers exchange for one another (docs/platform-api.md#refusals). */
const exchanged: readonly number[] = [400, 403, 409, 422];

/** How many sentences each refusal has besides the local platform's own. */
export const wordings = 3;

/**
 * Every refusal in other sentences, and with another of the statuses that servers exchange. What the documented API quotes or
 * number stays: their sentences, 401, 403 for the key, 404, and the statuses that they list for an operation.
 * @param wording which of the sentences, and how far the statuses are moved
 */
export function otherWords(wording = 0): Mode {
  return {
    answer: (operation, answered) => {
      const said = isRecord(answered.json) && typeof answered.json['error'] === 'string' ? answered.json['error'] : '';
      if (said === '' || answered.status < 400 || answered.status >= 500 || isQuoted(said)) return answered;
      const status = statusOf(operation, answered, said, wording);
      return { ...answered, status, json: { ...(answered.json as object), error: reworded(said, wording) } };
    },
  };
}

/** Sentences that the documented API quotes (docs/chat.md#errors). */
const isQuoted = (said: string): boolean =>
  said === 'Streaming for thread is in progress' || said === 'agentId is required for Api-Key authentication';

function statusOf(operation: NamedOperation, { status }: Answered, said: string, wording: number): number {
  const at = exchanged.indexOf(status);
  const isListed = operation.refuses?.[status] !== undefined || /\bAPI key\b/.test(said);
  return at < 0 || isListed ? status : (exchanged[(at + 1 + wording) % exchanged.length] ?? status);
}

/** The same refusal in other words. */
function reworded(said: string, wording: number): string {
  for (const [pattern, sentences] of rewordings) {
    const name = pattern.exec(said);
    if (name !== null) return (sentences[wording % sentences.length] ?? '{}').replace('{}', name[1] ?? 'this');
  }
  return (anyRefusal[wording % anyRefusal.length] ?? '{}').replace('{}', referenceOf(said));
}

/** Of every other refusal no word stays: who reads words must not find any. The reference tells one from another. */
const anyRefusal: readonly string[] = ['Declined, reference {}.', 'Sorry, that cannot be done right now [{}]', 'E-{}'];

const referenceOf = (said: string): string => createHash('sha1').update(said).digest('hex').slice(0, 6);

/** What a refusal of the local platform says, and what other servers say instead; `{}` is the name it quotes. */
const rewordings: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^Branch "(.+)" is not an active dev-mode branch/,
    [
      'Dev mode is stopped on this branch',
      'Development mode must be running before {} can be changed.',
      '{} is frozen until its developer resumes development.',
    ],
  ],
  [
    /^Branch "(.+)" is not a dev-mode branch/,
    [
      '{} is a protected branch',
      'Direct edits of shared branches are disabled.',
      'You may only edit your personal branch.',
    ],
  ],
  [
    /^Branch "(.+)" is another person's dev-mode branch/,
    ['{} belongs to someone else', 'You are not the owner of this branch', 'Only its author may touch {}.'],
  ],
  [
    /^Branch "(.+)" has uncommitted changes/,
    [
      'Please commit your changes before merging',
      'Pending modifications on {}: save them to Git.',
      'Working tree is dirty',
    ],
  ],
  [
    /^Branch ".+" has moved since "(.+)" last took its changes/,
    [
      '{} is out of date with its parent. Update it and retry.',
      'New commits exist upstream.',
      'Remote contains work that you do not have locally',
    ],
  ],
  [
    /^Uncommitted work on "(.+)" and the changes of/,
    ['Automatic merge of {} failed; fix the conflicts', 'CONFLICT (content)', 'Overlapping edits prevent the update.'],
  ],
  [
    /^".+" and "(.+)" changed the same lines/,
    ['Automatic merge into {} failed; fix the conflicts', 'CONFLICT (content)', 'Overlapping edits prevent the merge.'],
  ],
  [
    /^Branch "(.+)" is (?:the production|a personal development) branch: only shared/,
    [
      'Staging is reserved for shared branches',
      '{} cannot be always active.',
      'This branch type does not support a permanent environment.',
    ],
  ],
  [
    /^There is nothing to commit on "(.+)"/,
    ['No changes detected', '{} is clean.', 'Nothing changed since the last commit'],
  ],
  [/^(.+) was not found\.$/, ['No such resource: {}', 'We could not locate {}', '{} does not exist']],
  [/^"?(.+?)"? exists already\.$/, ['{} is already taken', 'Duplicate: {}', 'There is one called {} already']],
];
