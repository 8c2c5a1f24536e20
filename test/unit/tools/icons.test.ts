import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { iconsIn, knownIcons } from '../../tools/icons.ts';
import { root } from '../../tools/run.ts';

const known = knownIcons();

describe('the icons of the extension', () => {
  it('exist in the oldest VS Code that it supports: an unknown one is drawn as a blank', () => {
    const unknown = globSync('src/**/*.ts', { cwd: root }).flatMap((path) =>
      iconsIn(path, readFileSync(join(root, path), 'utf8'))
        .filter((icon) => !known.has(icon))
        .map((icon) => `${path}: ${icon}`),
    );
    expect(unknown).toEqual([]);
  });

  it('exist for each command and view of the manifest', () => {
    const manifest = readFileSync(join(root, 'package.json'), 'utf8');
    const named = Array.from(manifest.matchAll(/\$\(([a-z0-9-]+)\)/g), ([, name = '']) => name);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((icon) => !known.has(icon))).toEqual([]);
  });

  it('have no colour that a theme makes transparent', () => {
    // In Dark Modern, orange is the colour of found text: a third as strong.
    const sources = globSync('src/**/*.{ts,tsx,css}', { cwd: root });
    expect(sources.length).toBeGreaterThan(500);
    const orange = sources.filter((path) => /charts[.-]orange/.test(readFileSync(join(root, path), 'utf8')));
    expect(orange).toEqual([]);
  });

  it.each([
    ["const row = { label: 'a', icon: { id: 'cloud-offline', color: 'charts.red' } };", ['cloud-offline']],
    ["const icon = is('offline') ? 'cloud-off' : 'sync~spin';", ['cloud-off', 'sync']],
    ["const groupIcons = { a: 'nothing-such' };", ['nothing-such']],
    ["function iconOf(x) { if (x === 'text') return 'bad'; return { id: 'good' }; }", ['bad', 'good']],
    ["button(new vscode.ThemeIcon('bad'), withIcon('worse', text`$(worst) words`));", ['worst', 'bad', 'worse']],
  ])('would be missed in %s', (source, icons) => {
    expect(iconsIn('a.ts', source)).toEqual(icons);
  });
});
