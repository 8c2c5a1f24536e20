import type { Attachment } from '#chat-core/attachments.ts';
import type { MentionKind } from './messages.ts';

/** Something of the workspace or the platform that a question can refer to. */
export interface Mention {
  /** Unique among all that is offered. */
  readonly id: string;
  readonly kind: MentionKind;
  /** What is matched and shown: a path, or a name such as `orders.count`. */
  readonly label: string;
  /** Where it is, or what it says. */
  readonly detail: string;
  /** What is sent of it; `undefined` where it is gone. */
  readonly read: () => Promise<Attachment | undefined>;
}

/** The best matches of what the user has typed, best first. */
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
 * How well a label matches: its letters must hold those of the query in order. Runs of letters, beginnings of words and an early
 * and complete match count more; `undefined` where it does not match.
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

/** 2: the label or its last name begins here; 1: a word begins here. */
function startBonus(label: string, at: number): number {
  if (at === 0) return 2;
  const before = label[at - 1] ?? '';
  if (before === '/' || before === '.') return 2;
  return /[_\-\s]/.test(before) ? 1 : 0;
}
