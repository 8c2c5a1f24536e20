import type { Attachment } from '#chat-core/attachments.ts';
import type { MentionKind } from './messages.ts';

/** Something of the workspace or the platform that a question can refer to. */
export interface Mention {
  /** Unique among all offered mentions. */
  readonly id: string;
  readonly kind: MentionKind;
  /** The label to match and show: a path, or a name such as `orders.count`. */
  readonly label: string;
  /** Its location or content. */
  readonly detail: string;
  /** Reads the content to send; resolves to `undefined` if it no longer exists. */
  readonly read: () => Promise<Attachment | undefined>;
}

/** Returns the best matches for the typed text, best first. */
export function bestMentions(mentions: readonly Mention[], query: string, most: number): readonly Mention[] {
  return mentions
    .flatMap((mention) => {
      const score = matchScore(mention.label, query);
      return score === undefined ? [] : [{ mention, score }];
    })
    .toSorted((a, b) => b.score - a.score || a.mention.label.localeCompare(b.mention.label, 'en'))
    .slice(0, most)
    .map(({ mention }) => mention);
}

/**
 * Scores how well a label matches: it must contain the query's letters in order. Consecutive letters, word starts and an early or
 * complete match score higher. Returns `undefined` if it does not match.
 */
export function matchScore(label: string, query: string): number | undefined {
  const text = label.toLowerCase();
  const wanted = query.toLowerCase();
  if (wanted === '') return 0;
  const at = text.indexOf(wanted);
  if (at >= 0) return (text.length === wanted.length ? 3_000 : 2_000) + startBonus(label, at) * 100 - label.length;
  let score = 0;
  let from = 0;
  for (const [index, letter] of wanted.split('').entries()) {
    const found = text.indexOf(letter, from);
    if (found < 0) return undefined;
    score += startBonus(label, found) * 10 + (index > 0 && found === from ? 15 : 0);
    from = found + 1;
  }
  return score - label.length;
}

/** Returns 2 at the start of the label or its last name, 1 at the start of a word. */
function startBonus(label: string, at: number): number {
  if (at === 0) return 2;
  const before = label[at - 1] ?? '';
  if (before === '/' || before === '.') return 2;
  return /[_\-\s]/.test(before) ? 1 : 0;
}
