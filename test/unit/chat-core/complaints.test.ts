import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isThere, type Proof, proofsIn } from '#support/proofs.ts';

interface Row {
  readonly number: string;
  readonly proofs: readonly Proof[];
  readonly isDecision: boolean;
}

describe('the complaints about other chats', () => {
  it('are all answered: by a test that is there, or by a decision that is stated', () => {
    const rows = complaints(readFileSync('test/chat-complaints.md', 'utf8'));
    const numbers = rows.map(({ number }) => number).filter((number) => number !== '+');
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 1)));
    expect(rows.filter(({ proofs, isDecision }) => proofs.length === 0 && !isDecision)).toEqual([]);
    expect(rows.flatMap(({ proofs }) => proofs).filter((proof) => !isThere(proof))).toEqual([]);
  });

  it('cannot name a test that is not there', () => {
    const [row] = complaints('| 1 | a | b | `test/unit/chat-core/complaints.test.ts › was never written` |');
    expect(row?.proofs.map(isThere)).toEqual([false]);
  });
});

function complaints(markdown: string): readonly Row[] {
  return [...markdown.matchAll(/^\| (\d+|\+) \|(.+)\|$/gm)].map(([, number = '', rest = '']) => ({
    number,
    proofs: proofsIn(rest),
    isDecision: rest.includes('*Decision*:'),
  }));
}
