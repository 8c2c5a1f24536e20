import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

const KB = 1024;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** A sentence of a page with the constants of a source file in place of `{}`, each divided by a unit. */
type Figures = readonly [
  page: string,
  sentence: string,
  source: string,
  constants: readonly (readonly [name: string, unit?: number])[],
];

const figures: readonly Figures[] = [
  ['sync', 'Saves within {} ms go together', 'sync/core/saves/save-queue', [['COALESCE_MS']]],
  ['sync', 'it checks at least {} seconds', 'features/folders/refresh-period', [['UNFOCUSED_SECONDS']]],
  ['sync', 'Up to {} changed files with a known base', 'sync/core/saves/save-sync', [['QUICK_MAX']]],
  ['sync', '({} versions each, {} in all;', 'sync/core/record/attempts', [['PER_PATH'], ['IN_ALL']]],
  ['sync', 'may still take effect for {} minutes', 'sync/core/record/confirm-attempts', [['LATE_MS', MINUTE]]],
  [
    'sync',
    'up to {} files that takes no more than about {} s as a transaction',
    'sync/core/transfer/upload-route',
    [['FEW_FILES'], ['MAX_ROUNDS_MS', SECOND]],
  ],
  [
    'sync',
    'of up to {} changed or {} new files and {} MB each, {} at a time',
    'sync/core/transfer/upload-directly',
    [['BATCH_FILES'], ['BATCH_NEW_FILES'], ['BATCH_BYTES', KB * KB], ['BATCHES']],
  ],
  ['sync', 'files over {} MB, or not UTF-8 text', 'sync/core/transfer/upload-directly', [['FILE_BYTES', KB * KB]]],
  [
    'sync',
    'up to {} while it goes well, and fewer (at least {})',
    'sync/core/remote/adaptive',
    [['ADAPTIVE_MAX'], ['MIN']],
  ],
  ['sync', '({} attempts without progress)', 'sync/core/remote/remote-reads', [['ATTEMPTS']]],
  ['sync', 'At most {} files are between two flushes', 'sync/core/transfer/pull', [['BATCH']]],
  ['sync', 'After {} records it is folded', 'sync/core/record/sync-record', [['CHECKPOINT_RECORDS']]],
  [
    'sync',
    'for {} days and up to {} GB',
    'sync/disk/trash-store',
    [
      ['KEEP_MS', DAY],
      ['KEEP_BYTES', KB * KB * KB],
    ],
  ],
  ['sync', '({} MB, the older half goes first)', 'sync/disk/history-file', [['MAX_BYTES', KB * KB]]],
  ['sync', '(by hash, up to {} MB)', 'sync/disk/blob-files', [['KEEP_BYTES', KB * KB]]],
  ['sync', 'touched every {} seconds', 'sync/disk/lock-file', [['HEARTBEAT_MS', SECOND]]],
  ['sync', 'silent for {} minutes', 'sync/disk/lock-file', [['STALE_MS', MINUTE]]],
  ['sync', 'more than {} deletions on the branch', 'sync/core/planning/guards', [['DELETE_MAX']]],
  ['sync', 'at least {} of them', 'sync/core/planning/guards', [['ALL_CHANGED_MIN']]],
  ['sync', 'more than {} bytes in a step or {} in all', 'base/file-names', [['MAX_SEGMENT_BYTES'], ['MAX_PATH_BYTES']]],
  [
    'chat',
    'After {} seconds of silence the view says so; after {} minutes',
    'chat-core/watchdog',
    [
      ['QUIET_MS', SECOND],
      ['IDLE_MS', MINUTE],
    ],
  ],
  ['chat', "waits up to {} seconds for the thread's id", 'chat-core/turn-runner', [['CHAT_ID_WAIT_MS', SECOND]]],
  ['chat', 'reads on for up to {} seconds', 'chat-core/turn-runner', [['READ_ON_MS', SECOND]]],
  ['chat', 'the first {} characters are sent', 'chat-core/attachments', [['LONGEST_ATTACHMENT']]],
  ['chat', 'draws it within {} seconds', 'shared/page/chart/chart-worker', [['MOST_MS', SECOND]]],
  ['chat', 'longer than {} seconds gives no verdict', 'features/chat/vscode/proposal-engine', [['LIMIT_MS', SECOND]]],
  ['platform-api', '(30 seconds, {} minutes for slow operations)', 'api/client/client', [['timeoutMs', MINUTE / 4]]],
  ['platform-api', 'A call has {} attempts at most', 'api/client/client', [['attempts']]],
  ['platform-api', '(up to {} seconds at first', 'api/client/client', [['backoffMs', SECOND]]],
  ['platform-api', '`Retry-After` (up to {} seconds;', 'api/client/client', [['maxRetryAfterMs', SECOND]]],
  ['platform-api', 'gives up waiting after {} minutes', 'features/deployments/dbt-sync', [['timeoutMs', MINUTE]]],
  ['platform-api', 'A JSON answer over {} MB is refused', 'api/client/client', [['maxAnswerBytes', KB * KB]]],
  ['platform-api', 'within the same origin only ({} at most)', 'api/client/send', [['maxRedirects']]],
  [
    'platform-api',
    'asks for {} at a time and reads {} at most',
    'api/resources/pagination',
    [['defaultPageSize'], ['defaultMaxItems']],
  ],
  [
    'platform-api',
    '`expiresIn?` ({} minutes without it)',
    'api/resources/device-sign-in',
    [['defaultLifetimeSeconds', 60]],
  ],
  ['platform-api', '`interval?` ({} seconds)', 'api/resources/device-sign-in', [['defaultIntervalSeconds']]],
  ['platform-api', 'ask {} seconds less often', 'api/resources/device-sign-in', [['slowDownSeconds']]],
  ['data-api', 'twice a second and for {} minutes', 'api/data/data', [['defaultMaxWaitMs', MINUTE]]],
  ['tables', 'the first {} tables and the first {} columns', 'model/tables/table', [['MOST_TABLES'], ['MOST_COLUMNS']]],
  ['tables', 'longer than {} million characters', 'model/tables/table', [['LONGEST_TABLES', 1_000_000]]],
  ['query-files', 'or more than {}, the test expects', 'model/query-files/write-answer', [['mostRows']]],
  ['model-language', 'folders more than {} levels deep', 'model/project/projects', [['DEEPEST']]],
  ['tools', 'which is good for {} minutes', 'tools/queries/query-environment', [['TOKEN_LIFE', 60]]],
  ['security', 'made it hang for {} seconds', 'features/language/heartbeat', [['silenceMs', SECOND]]],
];

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Returns the value of a numeric constant or of a limit in a table: a number, or a product of numbers. */
function valueOf(source: string, name: string): number {
  const text = readFileSync(join(root, 'src', `${source}.ts`), 'utf8');
  const written = new RegExp(`(?:const ${name} =|^  ${name}:) ([\\d_ *]+)[;,]`, 'm').exec(text)?.[1];
  if (written === undefined) throw new Error(`${source}.ts has no numeric constant ${name}`);
  return written.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

/** Returns the ways in which a page may write a sentence with these values: in digits or in words. */
function variants(sentence: string, values: readonly number[]): readonly string[] {
  return values.reduce<readonly string[]>(
    (texts, value) =>
      [value.toLocaleString('en-US'), WORDS[value]].flatMap((each) =>
        each === undefined ? [] : texts.map((text) => text.replace('{}', each)),
      ),
    [sentence],
  );
}

/** Returns a page as it reads: without anchors and line breaks. */
const readingOf = (page: string): string =>
  readFileSync(join(root, 'docs', `${page}.md`), 'utf8')
    .replaceAll(/<a id="[^"]*"><\/a>/g, '')
    .replaceAll(/\s+/g, ' ');

describe('the figures of the pages', () => {
  it.each(figures)('are those of the code: %s.md, “%s”', (page, sentence, source, constants) => {
    const values = constants.map(([name, unit = 1]) => valueOf(source, name) / unit);
    const written = variants(sentence, values);
    expect(written.filter((text) => readingOf(page).includes(text))).toHaveLength(1);
  });

  it('would be found wrong with another value', () => {
    expect(variants('for {} days and up to {} GB', [3, 1_000])).toEqual([
      'for 3 days and up to 1,000 GB',
      'for three days and up to 1,000 GB',
    ]);
    expect(() => valueOf('sync/core/planning/guards', 'DELETE_SHARES')).toThrow('no numeric constant');
  });
});
