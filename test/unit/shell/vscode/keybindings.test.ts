import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { localisedManifest } from '#support/manifest.ts';
import { holds } from '#support/when-clause.ts';

interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
  readonly when?: string;
}

const { keybindings, commands } = (
  JSON.parse(localisedManifest()) as {
    readonly contributes: {
      readonly keybindings: readonly Keybinding[];
      readonly commands: readonly { readonly command: string; readonly title: string }[];
    };
  }
).contributes;

/**
 * Second keys of the chords that VS Code 1.139 and its built-in extensions begin with Ctrl+K (Cmd+K on macOS), on any
 * system; `ctrl` is Cmd on macOS. Keys without a letter or a digit are left out.
 */
const taken = new Set(
  `c ctrl+0 ctrl+8 ctrl+9 ctrl+a ctrl+alt+c ctrl+alt+down ctrl+alt+left ctrl+alt+right ctrl+alt+s ctrl+alt+up ctrl+b
  ctrl+c ctrl+d ctrl+down ctrl+e ctrl+f ctrl+f12 ctrl+h ctrl+i ctrl+j ctrl+k ctrl+l ctrl+left ctrl+m ctrl+n ctrl+o ctrl+p
  ctrl+pagedown ctrl+pageup ctrl+q ctrl+r ctrl+right ctrl+s ctrl+shift+alt+c ctrl+shift+c ctrl+shift+l ctrl+shift+left
  ctrl+shift+n ctrl+shift+right ctrl+shift+s ctrl+shift+w ctrl+t ctrl+u ctrl+up ctrl+w ctrl+x d down e enter f f12 f2 i
  left m n o p right s shift+enter shift+n shift+o t u up v w y z`.split(/\s+/),
);

/** Keybindings that take a default away: a single key, a chord with another beginning, or one that is taken. */
function clashing(bindings: readonly Keybinding[]): readonly string[] {
  const isFree = (key: string, first: string): boolean => {
    const [begin, second, ...more] = key.split(' ');
    return begin === first && second !== undefined && more.length === 0 && !taken.has(second.replace('cmd', 'ctrl'));
  };
  return bindings.flatMap(({ command, key, mac }) =>
    isFree(key, 'ctrl+k') && mac !== undefined && isFree(mac, 'cmd+k') ? [] : [command],
  );
}

describe('a keybinding', () => {
  it('takes no default of VS Code away on Linux, Windows or macOS', () => {
    expect(clashing(keybindings)).toEqual([]);
    const keys = keybindings.map(({ key }) => key);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('would notice a default that is taken away', () => {
    const planted = [
      { command: 'single', key: 'ctrl+p', mac: 'cmd+p' },
      { command: 'language mode', key: 'ctrl+k m', mac: 'cmd+k m' },
      { command: 'begins with it', key: 'ctrl+k m p', mac: 'cmd+k m p' },
      { command: 'on macOS only', key: 'ctrl+k shift+p', mac: 'cmd+k cmd+s' },
    ];
    expect(clashing(planted)).toEqual(planted.map(({ command }) => command));
  });

  it('has a clause, so that it does nothing while signed out', () => {
    const free = keybindings.filter(({ when }) => when === undefined || holds(when, { isWorkspaceTrusted: true }));
    expect(free).toEqual([]);
  });

  it('stands in the README with key and title', () => {
    const rows = [...readFileSync('README.md', 'utf8').matchAll(/^\| `(Ctrl\+K [^`]+)` \| \*([^*]+)\*/gm)];
    const titles = new Map(commands.map(({ command, title }) => [command, title]));
    const capital = (key: string): string => key.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
    expect(rows.map(([, key, title]) => [key, title])).toEqual(
      keybindings.map(({ command, key }) => [capital(key), titles.get(command)]),
    );
  });
});
