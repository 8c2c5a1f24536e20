import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { capabilities } from '#language-server/requests/features.ts';
import * as protocol from '#features/language/messages.ts';
import { type Level, type Shown, shownByTests, shownIn } from '../../tools/shown.ts';

const languagePage = readFileSync('test/language.md', 'utf8');
const complaintsPage = readFileSync('test/chat-complaints.md', 'utf8');
const shown = shownByTests();

describe('comments that say what a test shows', () => {
  it('stand above tests', () => {
    expect(shown.filter(({ test }) => test === '')).toEqual([]);
  });

  it('name features that are listed', () => {
    const listed = new Set([...languageFeatures().map(({ id }) => id), ...answeredComplaints()]);
    expect(shown.filter(({ feature }) => !listed.has(feature))).toEqual([]);
  });

  it('belong to the test below them', () => {
    const text = [
      '  // @shows hover, rename (server)',
      "  it('explains a member', () => {",
      '  // @shows folding',
      '  it.each([',
      "    ['a', (x) => f('b')],",
      "  ])('folds %s', () => {",
      '  // @shows symbols',
      '  const x = 1;',
    ].join('\n');
    expect(shownIn('test/unit/a.test.ts', text)).toEqual([
      { feature: 'hover', level: 'functions', file: 'test/unit/a.test.ts', test: 'explains a member' },
      { feature: 'rename', level: 'server', file: 'test/unit/a.test.ts', test: 'explains a member' },
      { feature: 'folding', level: 'functions', file: 'test/unit/a.test.ts', test: 'folds %s' },
      { feature: 'symbols', level: 'functions', file: 'test/unit/a.test.ts', test: '' },
    ]);
  });
});

describe('the language server', () => {
  it('has tests of every feature, at all three levels where a user works with it', () => {
    expect(languageFeatures().length).toBeGreaterThan(50);
    expect(languageFeatures().filter((feature) => !isShown(feature, shown))).toEqual([]);
  });

  it('has all its capabilities, commands, settings and requests in the list of features', () => {
    expect(unlisted(languagePage)).toEqual([]);
  });

  it('would be found without a test, and a capability or a request in no feature', () => {
    const others = shown.filter(({ feature, level }) => feature !== 'hover' || level !== 'server');
    expect(languageFeatures().filter((feature) => !isShown(feature, others))).toEqual([
      { id: 'hover', levels: ['functions', 'server', 'VS Code'] },
    ]);
    const less = languagePage.replaceAll('`hoverProvider`', '').replaceAll('`modelbench/joinGraph`', '');
    expect(unlisted(less)).toEqual(['hoverProvider', 'modelbench/joinGraph']);
  });
});

describe('the answers to complaints about chats', () => {
  it('have tests unless they are decisions', () => {
    expect(answeredComplaints().length).toBeGreaterThan(20);
    const features = new Set(shown.map(({ feature }) => feature));
    expect(answeredComplaints().filter((id) => !features.has(id))).toEqual([]);
  });
});

interface Feature {
  readonly id: string;
  /** The levels at which it must be shown; none in particular: at any. */
  readonly levels: readonly Level[];
}

function languageFeatures(): readonly Feature[] {
  return languagePage.split(/^## /m).flatMap((section) =>
    [...section.matchAll(/^\| `([\w-]+)` \| .+ \|$/gm)].map(([, id = '']): Feature => ({
      id,
      levels: section.startsWith('Features\n') ? ['functions', 'server', 'VS Code'] : [],
    })),
  );
}

function isShown({ id, levels }: Feature, tests: readonly Shown[]): boolean {
  const found = new Set(tests.flatMap(({ feature, level }) => (feature === id ? [level] : [])));
  return found.size > 0 && levels.every((level) => found.has(level));
}

function answeredComplaints(): readonly string[] {
  return [...complaintsPage.matchAll(/^\| (\d+) \|(.+)\|$/gm)].flatMap(([, number = '', row = '']) =>
    row.includes('*Decision*:') ? [] : [`chat-complaint-${number}`],
  );
}

/** What the server, the manifest and the protocol offer and a text does not name. */
function unlisted(text: string): readonly string[] {
  const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly contributes: {
      readonly commands: readonly { readonly command: string }[];
      readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
    };
  };
  const named = [
    ...contributes.commands.map(({ command }) => command),
    ...contributes.configuration.flatMap(({ properties }) => Object.keys(properties)),
    ...Object.values(protocol.lensCommands),
  ];
  const offered = [
    ...Object.keys(capabilities(protocol.defaultLanguageSettings, true)).filter((name) => name.endsWith('Provider')),
    ...named.filter((name) => name.startsWith('modelbench.language.')),
    ...Object.values(protocol).filter((value) => typeof value === 'string'),
  ];
  return offered.filter((name) => !text.includes(`\`${name}\``));
}
