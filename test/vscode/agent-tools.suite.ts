import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { filesOf, listDataModelFiles } from '#api/resources/data-model.ts';
import { tools } from '#tools/tools.ts';
import { invoke, questionBefore, registeredTools } from './agent-tools.ts';
import { type Desk, sitDown } from './desk.ts';
import { theExtension } from './extension.ts';
import { approve, escape } from './user.ts';
import { describe, type Fixture, it } from './runner.ts';

/** As the tools show it, from the workspace folder. */
const orders = 'agents/shop/model/cubes/orders.yml';
const query = JSON.stringify({ measures: ['orders.count'], dimensions: ['orders.status'] });
const queryFile = `query:
  measures: [orders.count]
tests:
  - name: There are orders
    value: { member: orders.count, min: 1 }
  - name: There are seven rows
    rowCount: 7
`;
/** A platform that has only what is documented refuses some tools. */
const isStrict = process.env['MODELBENCH_SUITES_MODE'] !== undefined;

type Input = Readonly<Record<string, string | number | boolean>>;

interface Reading {
  readonly input: Input;
  /** A part of the answer. */
  readonly shows: RegExp;
}

const reading: ReadonlyMap<string, Reading> = new Map([
  ['check', { input: { strict: true, severity: 'warning' }, shows: /^No problems in \d+ files/ }],
  ['search', { input: { query: 'count', kind: 'measure', limit: 3 }, shows: /^\w+\.count \(measure count\)/m }],
  ['read', { input: { name: 'orders.count' }, shows: /^orders\.count \(measure count\) {2}agents\/shop\/model\// }],
  ['graph', { input: { of: 'orders' }, shows: /^orders → customers$/m }],
  ['diff', { input: { branch: 'main' }, shows: /^Compared with main: no file differs/ }],
  ['impact', { input: { name: 'orders.count', workspace: true }, shows: /^sales \(view\)/m }],
  ['status', { input: {}, shows: /^1 {2}.*\nProduction: main/ }],
  ['branches', { input: {}, shows: /^main {2}\(production\)/ }],
  ['builds', { input: { branch: 'main' }, shows: /^main {2}built/ }],
  ['validate', { input: { branch: 'main' }, shows: /^The data model of “main” is valid/ }],
  ['query', { input: { query, limit: 2 }, shows: /^orders\.status\torders\.count\n\w+\t\d+\n/ }],
  ['sql', { input: { query }, shows: /SELECT/ }],
  ['test', { input: { path: 'how-many' }, shows: /There are seven rows/ }],
  ['logs', { input: { limit: 2 }, shows: /Build of main finished/ }],
  ['plan', { input: {}, shows: /^Nothing to push or pull: \d+ files/ }],
]);

const change = { path: orders, find: 'title: Number of orders\n', replace: 'title: As agents do\n' };

/** An input for every tool that changes something, with which it would. */
const changing: ReadonlyMap<string, Input> = new Map<string, Input>([
  ['write', { path: orders, content: 'cubes: []\n', push: true }],
  ['undo', { token: 'none' }],
  ['restore', { version: 'none' }],
  ['push', { yes: true }],
  ['pull', { yes: true }],
  ['resolve', { yes: true }],
  ['commit', { message: 'As agents do', yes: true }],
  ['merge', { branch: 'pricing-experiments', yes: true }],
  ['deploy', { yes: true }],
]);

const ofPlatform = /\nThe assistant gets what the platform answers for your account\. Nothing is changed\./;
const ofFolder =
  /^(?:Undo Write|Restore from Trash)\nThe assistant changes a file of the data model in your folder\. The former version is kept\./;
const ofDevBranch = /\nThe assistant changes files of your folder or of your dev branch\. Former versions are kept\./;
const ofProduction = /\nThe assistant changes a branch that production may be built from\. You confirm it again before/;

/** What a user is asked, by tool. */
const questions: Readonly<Record<string, RegExp>> = {
  ask: /^Ask the analytics agent\n“How many\?” is sent to the platform\./,
  ...Object.fromEntries(
    ['diff', 'impact', 'status', 'branches', 'builds', 'validate', 'query', 'sql', 'test', 'logs', 'plan'].map(
      (name) => [name, ofPlatform],
    ),
  ),
  ...{
    undo: ofFolder,
    restore: ofFolder,
    write: ofDevBranch,
    push: ofDevBranch,
    pull: ofDevBranch,
    resolve: ofDevBranch,
  },
  ...{ commit: ofProduction, merge: ofProduction, deploy: ofProduction },
};

const inputOf = (name: string): Input => reading.get(name)?.input ?? changing.get(name) ?? { question: 'How many?' };

let opened: Desk | undefined;
let desk: Desk;
let dev = '';

/** A user in dev mode, with a file of queries. */
const atDesk: Fixture = {
  open: async () => {
    if (opened) return;
    desk = opened = await sitDown('agents/shop');
    dev = await desk.startDevMode('main');
    await desk.write('queries/how-many.query.yml', queryFile);
    await desk.until(async () => (await desk.buildOf('main')) === 'built');
  },
  close: async () => {
    await opened?.leave();
    opened = undefined;
  },
};

describe(
  'the tools for agents',
  () => {
    it('are registered, every one that package.json lists', () => {
      const { languageModelTools = [] } = theExtension().manifest.contributes as {
        languageModelTools?: { name: string }[];
      };
      const listed = languageModelTools.map(({ name }) => name);
      assert.deepEqual([...registeredTools.keys()].sort(), [...listed].sort());
      const played = ['ask', ...reading.keys(), ...changing.keys()];
      assert.deepEqual(played.map((name) => `modelbench_${name}`).sort(), [...listed].sort());
      const readingTools = tools.filter(({ risk }) => risk === 'read').map(({ name }) => name);
      assert.deepEqual([...reading.keys()].sort(), readingTools.sort());
    });
  },
  atDesk,
);

describe(
  'a tool for agents that reads',
  () => {
    for (const [name, { input, shows }] of reading)
      it(`answers as the command line does: ${name}`, async () => {
        const answer = await outcome(invoke(`modelbench_${name}`, input));
        assert.equal(answer, await commandLine(name, input));
        if (!isStrict) assert.match(answer, shows);
      });
  },
  atDesk,
);

describe(
  'before a tool for agents runs',
  () => {
    it('the user is asked as its risk demands, and that changes nothing', async () => {
      const before = await everything();
      await desk.platform.requests();
      for (const name of ['ask', ...reading.keys(), ...changing.keys()]) {
        const question = await questionBefore(`modelbench_${name}`, inputOf(name));
        const expected = questions[name];
        if (expected) assert.match(question ?? '', expected, name);
        else assert.equal(question, undefined, name);
      }
      const sent = (await desk.platform.requests()).filter(({ method }) => method !== 'GET');
      assert.deepEqual(sent, []);
      assert.deepEqual(await everything(), before);
    });

    it('the user sees the values that the agent chose', async () => {
      const input = { message: '[Fine](command:x) <b>', branch: dev, yes: true };
      const question = (await questionBefore('modelbench_commit', input)) ?? '';
      assert.match(question, /^message: \[Fine\] ?\(command:x\) <b>\s*$/m);
      assert.match(question, new RegExp(`^branch: ${dev}\\s*$`, 'm'));
    });

    it('an input that it does not have is refused in one sentence, and nothing is changed', async () => {
      const before = await everything();
      for (const name of ['ask', ...reading.keys(), ...changing.keys()]) {
        const said = await refusal(`modelbench_${name}`, { ...inputOf(name), wrongName: true });
        assert.match(
          said,
          new RegExp(`^“${name}” has no input “wrongName”\\. (?:It has [\\w, ]+\\.|Did you mean “\\w+”\\?)$`),
        );
      }
      assert.deepEqual(await everything(), before);
    });

    it('an input that is missing or of a wrong type is refused by its name', async () => {
      assert.match(await refusal('modelbench_search', {}), /^“query” is missing: it must be a text, such as .*\.$/);
      assert.match(await refusal('modelbench_read', { name: 7 }), /^“name” must be a text, .*, not the number 7\.$/);
      assert.match(await refusal('modelbench_commit', { yes: true }), /^“message” is missing: .*\.$/);
      assert.match(
        await refusal('modelbench_push', { yes: 'yes' }),
        /^“yes” must be true or false, not the text “yes”\.$/,
      );
      assert.match(await refusal('modelbench_builds', { branch: 'nowhere' }), /^[^\n]*“?nowhere[^\n]*$/);
    });
  },
  atDesk,
);

describe(
  'a tool for agents that changes something',
  () => {
    it('writes a file, and puts it back by the token of its answer', async () => {
      const before = await everything();
      const written = await invoke('modelbench_write', change);
      assert.match(await desk.read('model/cubes/orders.yml'), /title: As agents do/);
      const [, token = ''] = /Undo with: modelbench undo (\S+)/.exec(written) ?? [];
      assert.match(await invoke('modelbench_undo', { token }), /orders\.yml is as it was/);
      assert.deepEqual(await everything(), before);
      assert.match(
        await refusal('modelbench_write', { path: 'agents/elsewhere.yml', content: '' }),
        /is not a file of/,
      );
      assert.deepEqual(await everything(), before);
    });

    it('shows what it would push, and pushes it with “yes”', async () => {
      await invoke('modelbench_write', change);
      const before = await everything();
      assert.match(
        await invoke('modelbench_push', { branch: dev }),
        /^push: change agents\/shop\/model\/cubes\/orders\.yml$[^]*Nothing was changed yet/m,
      );
      assert.match(await invoke('modelbench_pull', { branch: dev }), /Nothing to pull/);
      assert.deepEqual(await everything(), before);
      await invoke('modelbench_push', { branch: dev, yes: true });
      assert.match((await desk.remote(dev, 'model/cubes/orders.yml')) ?? '', /title: As agents do/);
    });

    it('shows what a step to production means, and changes nothing without “yes”', async () => {
      const before = await everything();
      assert.match(
        await invoke('modelbench_commit', { message: 'As agents do', branch: dev }),
        /Nothing was changed yet/,
      );
      assert.match(await invoke('modelbench_merge', { branch: 'pricing-experiments' }), /Nothing was changed yet/);
      // Without the creation method of the deployment, only its branches tell whether uploads are deployed.
      const deployed = await outcome(invoke('modelbench_deploy', {}));
      assert.match(deployed, isStrict ? /Nothing to deploy/ : /is not deployed by uploads/);
      assert.deepEqual(await everything(), before);
    });

    it('reaches production only after the user confirmed it on the page of the step', async () => {
      const before = await everything();
      const input = { message: 'As agents do', branch: dev, yes: true };
      let said = '';
      const closed = async (): Promise<void> => void (said = await refusal('modelbench_commit', input));
      const page = await desk.user.answering(closed, escape);
      assert.match(page, /Commit to main \(production\)/);
      assert.match(said, /It was not confirmed\. Do not try it again unless the user asks for it\.$/);
      assert.deepEqual(await everything(), before);
      const commits = async (): Promise<void> => void (said = await invoke('modelbench_commit', input));
      await desk.user.answering(commits, approve('Commit to main (production)', { typed: 'Shop analytics' }));
      assert.match(said, /Committed/);
      assert.match((await desk.remote('main', 'model/cubes/orders.yml')) ?? '', /title: As agents do/);
    });
  },
  atDesk,
);

/** What a call comes to: its answer, or the sentence with which it is refused. */
async function outcome(work: Promise<string>): Promise<string> {
  return work.catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
}

async function refusal(tool: string, input: object): Promise<string> {
  return invoke(tool, input).then(
    (answer) => assert.fail(`${tool} is not refused: ${answer}`),
    (error: unknown) => (error as Error).message,
  );
}

/** What the command line answers to the same input in the workspace folder, or the error that it prints. */
async function commandLine(name: string, input: Input): Promise<string> {
  const { extensionPath: root } = theExtension().extension;
  const positional = tools.find((tool) => tool.name === name)?.positional ?? ([] as readonly string[]);
  const options = Object.entries(input).flatMap(([key, value]) => {
    if (positional.includes(key)) return [String(value)];
    return value === true ? [`--${key}`] : [`--${key}`, String(value)];
  });
  const args = [path.join(root, 'dist/cli.js'), name, '--folder', desk.folder.fsPath, ...options];
  const { url, apiKey } = desk.platform;
  const state = mkdtempSync(path.join(tmpdir(), 'modelbench-suite-'));
  const env = { ...process.env, XDG_STATE_HOME: state, MODELBENCH_TENANT_URL: url, MODELBENCH_API_KEY: apiKey };
  const cwd = vscode.workspace.getWorkspaceFolder(desk.folder)?.uri.fsPath;
  const printed = await new Promise<string>((resolve) => {
    execFile(path.join(root, 'node_modules/node/bin/node'), args, { cwd, env }, (_ended, stdout, stderr) =>
      resolve(stdout === '' ? stderr.replace(/^modelbench: /, '') : stdout),
    );
  });
  rmSync(state, { recursive: true, force: true, maxRetries: 3 });
  return printed.replace(/\n$/, '');
}

/** All that a tool could change: the files of the folder, the heads of the branches, and the files of the dev branch. */
async function everything(): Promise<object> {
  const folder = desk.folder.fsPath;
  const local = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]);
  const listing = { params: { deploymentId: '1' }, query: { branchName: dev, withContent: true } };
  const remote = filesOf(await desk.platform.client.call(listDataModelFiles, listing));
  return {
    local: Object.fromEntries(local) as object,
    remote: Object.fromEntries(remote.map(({ path: name, content }) => [name, content])) as object,
    heads: await desk.heads(),
  };
}
