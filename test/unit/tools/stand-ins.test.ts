import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** Tests share what their worker has loaded: one that puts another VS Code in place reloads, before and after. */
function keepsModules(text: string): boolean {
  const resets = text.match(/(?:beforeAll|afterAll)\([^]*?vi\.resetModules\(\)/g)?.length ?? 0;
  return /vi\.mock\('(?:vscode|#shell\/vscode\/guarded\/vscode\.ts)'/.test(text) && resets < 2;
}

describe('a test with a stand-in for VS Code', () => {
  it('loads the modules again, before it and after it', () => {
    const own = 'test/unit/tools/stand-ins.test.ts';
    const tests = globSync('test/unit/**/*.test.{ts,tsx}', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
    const found = tests.filter((path) => path !== own && keepsModules(readFileSync(join(root, path), 'utf8')));
    expect(found).toEqual([]);
  });

  it('would be found without one of them', () => {
    const mock = "vi.mock('vscode', () => ({}));\n";
    const before = 'beforeAll(() => vi.resetModules());\n';
    expect(keepsModules(mock + before)).toBe(true);
    expect(keepsModules("vi.mock('#shell/vscode/guarded/vscode.ts', () => ({}));\n")).toBe(true);
    expect(keepsModules(`${mock}${before}afterAll(() => vi.resetModules());`)).toBe(false);
  });
});
