import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { spreadCalls } from '../../tools/spread-arguments.ts';

const BUTTONS = 'a message has a few buttons';
const PATH = 'the system limits the length of a path';
const PAIR = 'it has as many items as the function has parameters';
const OWN = 'it is written in the source';

/** Calls that take their arguments from a list, and why that list is short. */
const short: Readonly<Record<string, string>> = {
  'src/cli/git-revision.ts: list(...beside)': 'a model has a few files beside it',
  'src/features/chat/page/drafts.ts: added(...all.slice(0, -MOST_DRAFTS).map(([, old]) => old))':
    'at most one is too many',
  'src/features/chat/page/drafts.ts: added(...replaced)': 'at most MOST_DRAFTS are stored',
  'src/features/chat/page/drafts.ts: added(...unowned.setAside)': 'at most MOST_SET_ASIDE are stored',
  'src/features/folders/vscode/transfer.ts: showWarningMessage(...buttons)': BUTTONS,
  'src/features/review/files-model-diff.ts: set(...result.value.after)': PAIR,
  'src/features/review/files-model-diff.ts: set(...result.value.before)': PAIR,
  'src/features/workspace/item-documents.ts: follow(...now)': PAIR,
  'src/features/workspace/item-documents.ts: reportDocument(...now)': PAIR,
  'src/language-server/client/guarded-connection.ts: (item as Handler)(...params.map((each) => aliases.incoming(each)))':
    'a message is passed on with its token and its progress',
  'src/language-server/engine/realm/shims/text.ts: fromCharCode(...bytes.subarray(at, at + CHUNK))':
    'it has at most CHUNK bytes',
  'src/model/checks/rollups.ts: has(...TIMES)': OWN,
  'src/model/language/shared-keys.ts: choice(...OPERATORS)': OWN,
  'src/model/language/shared-keys.ts: choice(...names.map((unit): Choice => ({ value: unit, doc: doc(unit) })))': OWN,
  'src/model/proposed/merge-yaml.ts: slice(...rangeOf(placed, node))': PAIR,
  'src/model/proposed/parent.ts: findPair(...keys)': OWN,
  'src/model/syntax/script/methods.ts: name(...args)': 'the steps that put a list of a script together are limited',
  "src/shell/vscode/bulk-report.ts: showWarningMessage(...(rest === '' ? [retryFailed] : [retryFailed, showAll]))":
    BUTTONS,
  'src/shell/vscode/error-boundary.ts: show(...buttons)': BUTTONS,
  'src/shell/vscode/guarded/commands.ts: executeCommand(...(args as readonly unknown[]))': PAIR,
  'src/shell/vscode/guarded/follow-up.ts: (raw.window[name] as Show)(...(hasAnswered ? args.toSpliced(at, 1, stays) : args))':
    PAIR,
  'src/shell/vscode/protection.ts: showWarningMessage(...buttons)': BUTTONS,
  'src/shell/vscode/questions.ts: showWarningMessage(...actions.map(({ title }) => textOf(title)))': BUTTONS,
  'src/sync/disk/model-folder.ts: join(...all.slice(0, at + 1))': PATH,
  'src/sync/disk/model-folder.ts: join(...steps.slice(0, at + 1))': PATH,
  'src/sync/disk/real-path.ts: join(...missing)': PATH,
};

describe('a call whose arguments come from a list', () => {
  it('has a reason why the list is short, everywhere in the product', () => {
    const calls = globSync('src/**/*.{ts,tsx}', { cwd: root }).flatMap((path) =>
      spreadCalls(path, readFileSync(join(root, path), 'utf8')).map(
        ({ called, list }) => `${path}: ${called}(...${list})`,
      ),
    );
    // Lists without a limit: append, largest and smallest of src/base/long-lists.ts take them.
    expect([...new Set(calls)].sort()).toEqual(Object.keys(short).sort());
  });

  it.each([
    ['list.push(...more)', ['push(...more)']],
    ['Math.max(0, ...values.map((value) => value.length))', ['max(...values.map((value) => value.length))']],
    ['new Highlight(...hits)', ['Highlight(...hits)']],
    ['(of?.list)?.splice(0, 1, ...added)', ['splice(...added)']],
    ['function all(...given: string[]) { return (() => other(...given))(); } given(...given)', ['given(...given)']],
    ["both(...['a', 'b']); [...list]; ({ ...list })", []],
  ])('is found: %s', (source, found) => {
    expect(spreadCalls('a.ts', source).map(({ called, list }) => `${called}(...${list})`)).toEqual(found);
  });
});
