import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** A limit for one test or one wait, and waits of vitest that give up after a second: a busy machine exceeds them. */
const ownLimit = /\btimeout: *(?:[1-9]|[A-Z][A-Z_])|\bvi\.wait(?:For|Until)\(|^ *\}, \d[\d_]*_000\);$/;

/** Clients with the product's own limits, of real time: tests take those of test/support/api/patient-client.ts. */
const impatient = /^import .*\bcreate(?:Data)?Client\b.* from '#api\/(?:client\/client|data\/data)\.ts';$/;

const limitsIn = (text: string): readonly string[] => text.split('\n').filter((line) => ownLimit.test(line));
/** A test that turns the timers itself may have the product's own limits. */
const impatientIn = (text: string): readonly string[] =>
  text.includes('vi.useFakeTimers(') ? [] : text.split('\n').filter((line) => impatient.test(line));

/** What a locator of the browser says about a page at this moment. */
const look =
  /\.(?:innerText|textContent|all(?:InnerTexts|TextContents)|count|is(?:Visible|Checked|Disabled|Enabled)|getAttribute|inputValue)\(/;

/** A page that is still on its way meets these as well, so that a look that comes early cannot fail. */
const holdsEarly = /^\)\s*\.(?:not\.|toBe\((?:0|false)\)|toEqual\(\[\]\)|toBeLessThan)/;

/** Looks at a page that happen once: on a slow machine the page is not there yet. `expect.poll` looks until it is. */
const singleLooksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\bexpect\(\s*await ([\s\S]*?)(?=\)\s*\.(?:not|to[A-Z]))(.*(?:\n\s+\..*)?)/g)]
    .filter(([, asked = '', then = '']) => look.test(asked) && !holdsEarly.test(then))
    .map(([all]) => all);

/** What is kept of one look at a page: its name, and what was asked. */
const kept =
  /\bconst (\w+) = \(?await ((?:[^;`]|`[^`]*`)*?\.(?:innerText|textContent|all(?:InnerTexts|TextContents)|evaluateAll)\()/g;

/** Assertions about what was kept of one look: they see only that moment. */
const keptLooksIn = (text: string): readonly string[] =>
  [...text.matchAll(kept)].flatMap(({ 0: { length }, 1: name = '', index }) => {
    const rest = text.slice(index + length);
    const end = rest.search(new RegExp(`\\bconst ${name} = |^  ?\\}\\);$|^\\}`, 'm'));
    const asserted = (end === -1 ? rest : rest.slice(0, end)).matchAll(new RegExp(`\\bexpect\\(${name}\\b[^;]*;`, 'g'));
    return [...asserted].map(([all]) => all).filter((all) => !holdsEarly.test(all.slice(all.indexOf(')'))));
  });

function paths(): readonly string[] {
  return ['unit', 'e2e', 'vscode', 'support'].flatMap((folder) =>
    readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && name !== join('tools', 'limits.test.ts'))
      .map((name) => join('test', folder, name)),
  );
}

/** The lines of all tests that a rule finds, each with its file. */
function foundBy(rule: (text: string) => readonly string[]): readonly string[] {
  return paths().flatMap((path) => rule(readFileSync(join(root, path), 'utf8')).map((line) => `${path}: ${line}`));
}

describe('the limits of tests', () => {
  it('come from test/tools/limits.ts: no test has one of its own', () => {
    expect(paths().length).toBeGreaterThan(500);
    expect(foundBy(limitsIn)).toEqual([]);
  });

  it('leave requests all the time that a test has', () => {
    // The wrapper itself, and the client whose own limits are looked at, which answers from memory.
    const known = ['patient-client.ts', 'client-under-test.ts'].map((name) => join('test', 'support', 'api', name));
    expect(foundBy(impatientIn).filter((line) => !known.some((path) => line.startsWith(path)))).toEqual([]);
  });

  it('let no assertion read a page only once, unless it holds before the page is there', () => {
    const found = [...foundBy(singleLooksIn), ...foundBy(keptLooksIn)];
    expect(found.filter((line) => line.startsWith(join('test', 'e2e')))).toEqual([]);
  });

  it.each([
    "expect(await page.getByRole('gridcell').innerText()).toMatch(/^\\d+$/);",
    'expect(\n  await page.locator(rows).count(),\n).toBe(4);',
    "expect(await field.inputValue())\n  .toBe('');",
    'expect(await status.isVisible()).toBe(true);',
  ])('would be found: %s', (text) => {
    expect(singleLooksIn(`await open();\n${text}\n`)).toHaveLength(1);
  });

  it.each([
    "const text = (await page.locator('.answer').textContent()) ?? '';\n    expect(text).toContain('quit');",
    'const lines = await cells.evaluateAll((all) =>\n  all.map(({ text }) => text),\n);\nexpect(lines).toEqual([1]);',
  ])('would be found although they are kept: %s', (text) => {
    expect(keptLooksIn(text)).toHaveLength(1);
  });

  it.each([
    'const all = await rows.allInnerTexts();\nexpect(all).toEqual([]);',
    'const lines = async () => rows.evaluateAll((all) => all.length);\nawait expect.poll(lines).toEqual([1]);',
    'it(async () => {\n  const text = await row.innerText();\n});\nit(() => {\n  expect(text).toBe(1);\n});',
  ])('are kept for nothing that comes late: %s', (text) => {
    expect(keptLooksIn(text)).toEqual([]);
  });

  it.each([
    'expect(await message.count()).toBe(0);',
    "expect(await answer.textContent()).not.toContain('hunter2');",
    'await expect.poll(async () => rows.count()).toBe(4);',
    "expect(await remoteFile(stage)).toBe(''); expect(rows.length).toBe(await list.count());",
  ])('are not found in: %s', (text) => {
    expect(singleLooksIn(text)).toEqual([]);
  });

  it.each([
    "import { createClient } from '#api/client/client.ts';",
    "import { type Client, createClient } from '#api/client/client.ts';",
    "import { createDataClient, type SqlBatch } from '#api/data/data.ts';",
  ])('would be found: %s', (line) => {
    expect(impatientIn(line)).toEqual([line]);
  });

  it.each([
    "  it('works', { timeout: 120_000 }, async () => {",
    "  it('works', { timeout: PATIENCE_MS }, async () => {",
    '  await page.getByText(text).waitFor({ timeout: 5000 });',
    '  await vi.waitFor(() => expect(asked).toBe(1));',
    '  }, 120_000);',
  ])('would be found: %s', (line) => {
    expect(limitsIn(line)).toEqual([line]);
  });

  it.each(['await page.click({ timeout: 0 });', 'expect(limits).toEqual({ timeout: undefined });'])(
    'do not appear in: %s',
    (line) => {
      expect(limitsIn(line)).toEqual([]);
    },
  );
});
