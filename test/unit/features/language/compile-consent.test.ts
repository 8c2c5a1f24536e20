import { describe, expect, it } from 'vitest';
import { contentHash } from '#base/content-hash.ts';
import { CompileConsent } from '#features/language/compile-consent.ts';
import { type ScriptChoice, SeenFiles } from '#features/language/seen-files.ts';
import type { CompileAnswer } from '#features/language/messages.ts';

const ROOT = 'file:///w/model';

/** A window of a workspace; another one over the same `state` is the window after a reload. */
class Window {
  readonly seen: SeenFiles;
  isTrusted = true;
  /** What stands in editors. */
  visible: readonly string[] = [];
  asked: string[] = [];
  scripts: ScriptChoice | undefined;
  checksUnseen = false;
  readonly #consent: CompileConsent;

  constructor(state = new Map<string, unknown>()) {
    this.seen = new SeenFiles({
      get: (key) => state.get(key),
      set: async (key, value) => void state.set(key, structuredClone(value)),
    });
    this.#consent = new CompileConsent({
      seen: this.seen,
      isTrusted: () => this.isTrusted,
      noteShown: async () => this.seen.shown(await Promise.all(this.visible.map(contentHash))),
      askScripts: async () => {
        this.asked.push('scripts');
        return this.scripts;
      },
      askUnseen: async (count) => {
        this.asked.push(`${count} unseen`);
        return this.checksUnseen;
      },
    });
  }

  async check(texts: readonly string[], more: { readonly hasScripts?: boolean; readonly byCommand?: boolean } = {}) {
    const files = await Promise.all(
      texts.map(async (text, at) => ({ uri: `${ROOT}/${at}.yml`, hash: await contentHash(text) })),
    );
    return this.#consent.answer({ root: ROOT, files, hasScripts: false, byCommand: false, ...more });
  }
}

const yes: CompileAnswer = { may: true };
const no = (part: string) => ({ may: false, reason: expect.stringContaining(part) as string });

describe('a model is compiled only as the user has seen it', () => {
  it('compiles what was there when the folder was first seen', async () => {
    expect(await new Window().check(['a', 'b'])).toEqual(yes);
  });

  it('does not compile what a pull, a merge or a proposal brought, and asks nothing after a save', async () => {
    const window = new Window();
    await window.check(['a', 'b']);
    expect(await window.check(['a', 'pulled'])).toEqual(no('1.yml has changed'));
    expect(await window.check(['new', 'pulled', 'b'])).toEqual(no('0.yml, 1.yml have changed'));
    expect(await window.check(['c', 'd', 'e', 'f', 'g'])).toEqual(
      no('0.yml, 1.yml, 2.yml and 2 other files have changed'),
    );
    expect(window.asked).toEqual([]);
  });

  it.each([
    ['opened', ['pulled']],
    ['reviewed in a difference, before it was accepted', ['a', 'pulled']],
    ['opened with other line ends', ['\uFEFFpulled']],
  ])('compiles it after it was %s', async (_, visible) => {
    const window = new Window();
    await window.check(['a']);
    window.visible = visible;
    expect(await window.check(['pulled'])).toEqual(yes);
    window.visible = [];
    expect(await window.check(['pulled'])).toEqual(yes);
  });

  it('does not take one version for another of the same file', async () => {
    const window = new Window();
    await window.check(['a']);
    window.visible = ['harmless'];
    expect(await window.check(['harmless'])).toEqual(yes);
    window.visible = [];
    expect(await window.check(['harmful'])).toEqual(no('0.yml has changed'));
  });

  it('compiles it after one confirmation by command, and remembers that', async () => {
    const state = new Map<string, unknown>();
    const window = new Window(state);
    await window.check(['a']);
    expect(await window.check(['pulled'], { byCommand: true })).toEqual(no('0.yml has changed'));
    window.checksUnseen = true;
    expect(await window.check(['pulled'], { byCommand: true })).toEqual(yes);
    expect(window.asked).toEqual(['1 unseen', '1 unseen']);
    expect(await new Window(state).check(['pulled'])).toEqual(yes);
  });

  it('remembers over a reload what was not seen', async () => {
    const state = new Map<string, unknown>();
    await new Window(state).check(['a']);
    expect(await new Window(state).check(['pulled'])).toEqual(no('0.yml has changed'));
  });

  it('compiles nothing in Restricted Mode', async () => {
    const window = new Window();
    window.isTrusted = false;
    expect(await window.check(['a'])).toEqual(no('Restricted Mode'));
  });

  it('takes a damaged memory for none', async () => {
    const state = new Map<string, unknown>([
      ['modelbench.seenFiles', { [ROOT]: 7 }],
      ['modelbench.modelScripts', 'x'],
    ]);
    expect(await new Window(state).check(['a'])).toEqual(yes);
  });
});

describe('a folder with JavaScript models', () => {
  const hasScripts = true;

  it('needs an answer once, and a save does not wait for it', async () => {
    const window = new Window();
    expect(await window.check(['a'], { hasScripts })).toEqual(no('JavaScript'));
    expect(await window.check(['a'], { hasScripts })).toEqual(no('JavaScript'));
    expect(window.asked).toEqual(['scripts']);
  });

  it.each([
    ['run' as const, yes],
    ['skip' as const, no('chose not to run')],
  ])('remembers the answer: %s', async (choice, expected) => {
    const state = new Map<string, unknown>();
    const window = new Window(state);
    window.scripts = choice;
    await window.check(['a'], { hasScripts });
    const later = new Window(state);
    expect(await later.check(['a'], { hasScripts })).toEqual(expected);
    expect(later.asked).toEqual([]);
    await later.seen.chooseScripts(ROOT, 'run');
    expect(await later.check(['a'], { hasScripts })).toEqual(yes);
  });

  it('keeps its answer however its address is spelled', async () => {
    const { seen } = new Window();
    await seen.chooseScripts('file:///c%3A/a%20b/model', 'run');
    expect(seen.scripts('file:///C:/a b/model')).toBe('run');
  });

  it('brings the question back with the command, where it was not to run', async () => {
    const window = new Window();
    await window.seen.chooseScripts(ROOT, 'skip');
    window.scripts = 'run';
    expect(await window.check(['a'], { hasScripts, byCommand: true })).toEqual(yes);
  });
});
