import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const decisions = readdirSync(join(root, 'docs/adr')).filter((name) => name !== 'README.md');
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

/** What a decision lacks. */
function decisionProblems(name: string, text: string): readonly string[] {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  const words = text.replaceAll(/^#.*$/gm, '').split(/\s+/).length;
  return [
    ...(/^\d{4}-[a-z0-9-]+\.md$/.test(name) ? [] : ['its name has no number']),
    ...(text.startsWith(`# ${Number(name.slice(0, 4))}. `) ? [] : ['its title has another number']),
    ...(/^\d{4}-\d{2}-\d{2}, (?:accepted|replaced by \[\d+\]\(\S+\))$/m.test(text) ? [] : ['it has no date and state']),
    ...(headings.join() === 'Context,Decision,Consequences' ? [] : ['it has other headings']),
    ...(words > 260 ? [`it has ${words} words`] : []),
  ];
}

describe('a decision', () => {
  it.each(decisions)('has a number, a date, and says context, decision and consequences: %s', (name) => {
    expect(decisionProblems(name, read(`docs/adr/${name}`))).toEqual([]);
  });

  it('appears in the list, and has a number of its own', () => {
    const list = read('docs/adr/README.md');
    expect(decisions.filter((name) => !list.includes(`](${name})`))).toEqual([]);
    expect(new Set(decisions.map((name) => name.slice(0, 4))).size).toBe(decisions.length);
  });

  it('would be found wrong without its date or with a part missing', () => {
    const good = '# 1. A\n\n2026-11-22, accepted\n\n## Context\n\na\n\n## Decision\n\nb\n\n## Consequences\n\nc\n';
    expect(decisionProblems('0001-a.md', good)).toEqual([]);
    expect(decisionProblems('0002-a.md', good)).toEqual(['its title has another number']);
    expect(decisionProblems('0001-a.md', good.replace('2026-11-22, ', ''))).toEqual(['it has no date and state']);
    expect(decisionProblems('0001-a.md', good.replace('## Decision', '## Choice'))).toEqual(['it has other headings']);
  });
});

describe('the documentation', () => {
  it('lists every page in its index', () => {
    const index = read('docs/README.md');
    const missing = pages.filter((page) => page !== 'docs/README.md' && !index.includes(`](${page.slice(5)})`));
    expect(missing).toEqual([]);
  });
});
