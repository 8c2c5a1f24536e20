// What the action runs: the command line on the checked-out project, then one comment on the pull request (docs/tools.md#github).
// It needs Node 22 and git, downloads nothing, and installs nothing into the project.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { keepComment, summaryText } from './comment.mjs';
import { commandLine } from './program.mjs';

const input = (name) => process.env[`INPUT_${name}`] ?? '';
const isOn = (name) => input(name) === 'true';

const program = commandLine({ archive: input('PACKAGE'), digest: input('DIGEST') });
const base = comparedCommit();
const strict = isOn('STRICT') ? ['--strict'] : [];

const since = base === undefined ? [] : ['--since', base];
const check = modelbench('check', ...since, '--format', 'github', ...strict, ...(isOn('ENGINE') ? ['--engine'] : []));
// What GitHub shows at the lines of the pull request.
process.stdout.write(check.stdout);
const difference = base === undefined ? undefined : modelbench('diff', base, '--format', 'markdown', ...strict);
const branch = input('TEST_BRANCH');
const tests = branch === '' ? undefined : modelbench('test', '--branch', branch);

const results = [check, difference, tests].filter((result) => result !== undefined);
showErrors(results.map(({ stderr }) => stderr).join(''));
const passed = results.every(({ status }) => status === 0);
const body = report();
write('GITHUB_STEP_SUMMARY', summaryText(`${body}\n`).trimEnd());
write('GITHUB_OUTPUT', `passed=${passed}`);
if (isOn('COMMENT')) await keepComment(body, { token: input('TOKEN'), number: pullRequest() });
process.exitCode = passed ? 0 : 1;

/** The comment: what the check counted, what the change means, and the tests. */
function report() {
  // The last line of the check is its summary; the lines before it are commands for GitHub.
  const summary = check.stdout.trim().split('\n').at(-1) ?? '';
  const sections = [comparison(), isAnswer(check) ? `**Check:** ${code(summary)}` : failure('The check', check)];
  if (tests)
    sections.push(
      isAnswer(tests) ? `**Tests on ${code(branch)}**\n\n${fenced(tests.stdout)}` : failure('The tests', tests),
    );
  return sections.join('\n\n');
}

function comparison() {
  if (difference === undefined) return 'There is no commit before this one, so the whole model was checked.';
  return isAnswer(difference) ? difference.stdout.trim() : failure('The comparison', difference);
}

/** Whether a command ended with an answer. One that the system ended has no status. */
function isAnswer({ status }) {
  return status === 0 || status === 1;
}

function failure(what, { stderr }) {
  return `**${what} could not run.**\n\n${fenced(stderr)}`;
}

/** Names of the model cannot end the block: its fence is longer than every row of backticks in it. */
function fenced(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.trim()}\n${fence}`;
}

function code(text) {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** Errors can hold names of the model and texts of the platform: nothing of them is a command for the runner. */
function showErrors(text) {
  if (text === '') return;
  const end = randomUUID();
  process.stdout.write(`::stop-commands::${end}\n${text.trimEnd()}\n::${end}::\n`);
}

/** Returns the commit to compare with; undefined for the first commit of a repository. */
function comparedCommit() {
  const named = input('BASE');
  // The first push of a branch has no commit before it.
  if (/^0+$|^HEAD\^$/.test(named)) return parentsOfHead().length === 0 ? undefined : fetchedBase('HEAD^');
  const { base, head } = event().pull_request ?? {};
  if (base === undefined || named !== base.sha) return fetchedBase(named);
  // A pull request is checked out as merged into the base of now. The event has an older one, where others merged meanwhile.
  const [target, merged] = parentsOfHead();
  if (merged !== undefined && merged === head?.sha) return fetchedBase(target);
  // A checkout of the head alone does not have what the base has by now.
  return commonCommit(fetchedBase(named));
}

/** The commits before the one that is checked out, also those that a shallow checkout does not have. */
function parentsOfHead() {
  const { stdout } = spawnSync('git', ['cat-file', 'commit', 'HEAD'], { encoding: 'utf8' });
  const [head = ''] = stdout.split('\n\n');
  return [...head.matchAll(/^parent ([\da-f]+)$/gm)].map(([, parent]) => parent);
}

/** The commit from which a branch and the checked-out commit went apart; the branch itself where the checkout is too shallow. */
function commonCommit(revision) {
  const { status, stdout } = spawnSync('git', ['merge-base', revision, 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : revision;
}

/**
 * Fetches a commit to compare with, and returns it. A shallow checkout does not have it; a full one fetches nothing. What a branch
 * had before it was force-pushed may be gone from the server: then it is the commit before this one.
 */
function fetchedBase(revision) {
  const has = spawnSync('git', ['cat-file', '-e', `${revision}^{commit}`], { stdio: 'ignore' });
  if (has.status === 0) return revision;
  if (revision === 'HEAD^') {
    run('git', ['fetch', '--no-tags', '--deepen=1', 'origin']);
    return revision;
  }
  try {
    run('git', ['fetch', '--no-tags', '--depth=1', 'origin', '--end-of-options', revision]);
    return revision;
  } catch (error) {
    if (revision !== event().before) throw error;
    process.stdout.write(
      '::notice title=Modelbench::The commit before the push is gone, so the model is compared with the commit before this one.\n',
    );
    return fetchedBase('HEAD^');
  }
}

function run(command, args) {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status === 0) return;
  process.stderr.write(stderr ?? '');
  throw error ?? new Error(`${command} ${args[0]} ended with ${status}.`);
}

function modelbench(...args) {
  // The token of the comment is not for the command line.
  const { INPUT_TOKEN: _token, ...env } = process.env;
  const all = [program, ...args, '--folder', input('FOLDER')];
  return spawnSync(process.execPath, all, { encoding: 'utf8', env, maxBuffer: 2 ** 28 });
}

function pullRequest() {
  const number = event().pull_request?.number;
  return Number.isInteger(number) ? number : undefined;
}

/** The event that started the run, as GitHub describes it. */
function event() {
  const path = process.env.GITHUB_EVENT_PATH;
  return path === undefined ? {} : JSON.parse(readFileSync(path, 'utf8'));
}

function write(variable, text) {
  const path = process.env[variable];
  if (path !== undefined && path !== '') appendFileSync(path, `${text}\n`);
}
