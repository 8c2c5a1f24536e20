import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ChatTurn } from '#chat-core/thread.ts';
import type { HostToView } from '#features/chat/messages.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { invoke } from './agent-tools.ts';
import { atChat, type ChatDesk } from './chat-desk.ts';
import { theExtension } from './extension.ts';
import { type Answer, escape, User, pick, press, type } from './user.ts';
import { startPlatform, type SuitePlatform } from './platform.ts';
import { problemsOf } from './problems.ts';
import { describe, it } from './runner.ts';
import { until } from './until.ts';

const MODEL = `cubes:
  - name: talk_orders
    sql_table: orders
    dimensions:
      - name: talk_status
        sql: status
        type: string
  - name: talk_view
    sql_tabel: orders
`;

const folder = (): vscode.Uri => {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first, 'a folder is open');
  return vscode.Uri.joinPath(first.uri, 'talk');
};
const modelFile = (): vscode.Uri => vscode.Uri.joinPath(folder(), 'model/talk.yml');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textAt = async (uri: vscode.Uri): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(uri));

describe('the chat', () => {
  it('has a container of its own and can be shown as an editor too', async () => {
    await theExtension().extension.activate();
    await vscode.commands.executeCommand('modelbench.chat.show');
    await vscode.commands.executeCommand('modelbench.chat.openInEditor');
    const own = await chatTab();
    await vscode.window.tabGroups.close(own);
  });
});

let platform: SuitePlatform;
let user: User;

describe('the tools for other assistants', () => {
  it('are all offered, and say what is missing before anybody has signed in', async () => {
    const { languageModelTools = [] } = theExtension().manifest.contributes as {
      languageModelTools?: { name: string }[];
    };
    const offered = new Set(vscode.lm.tools.map(({ name }) => name));
    // That the manifest has all tools is a unit test.
    assert.notEqual(languageModelTools.length, 0);
    for (const { name } of languageModelTools) assert.ok(offered.has(name), `${name} is offered`);
    await assert.rejects(invoke('modelbench_status', {}), /not signed in/);
    await assert.rejects(invoke('modelbench_ask', { question: 'How many orders?' }), /Sign in to a tenant first/);
  });

  it('say that the agent’s address is missing once someone has signed in', async () => {
    platform = await startPlatform();
    user = new User();
    const { url, apiKey } = platform;
    await user.does('modelbench.signIn', undefined, type(url), type(apiKey));
    await user.does('modelbench.selectDeployment', { accountId: url, deploymentId: '1' });
    await assert.rejects(invoke('modelbench_ask', { question: 'How many orders?' }), /Paste the Chat API URL/);
  });

  it('ask the agent once its address is known, and answer with text, query and rows', async () => {
    const { chatApiUrl } = platform;
    await user.does('modelbench.chat.setUp', undefined, type(chatApiUrl), pick('API Key of This Account'));
    const answer = await invoke('modelbench_ask', { question: 'How many orders were there by status?' });
    // Whoever asked has the answer: it is not news to anybody else.
    assert.doesNotMatch(user.said, /Answer ready/);
    assert.match(answer, /Query:\nSELECT[^]*Rows \(4 of 4\):\n\w+\t/);
    await assert.rejects(invoke('modelbench_ask', { question: ' ' }), /could not be sent/);
    await assert.rejects(invoke('modelbench_ask', {}), /“question” is wrong: It must be a text\.$/);
    await assert.rejects(invoke('modelbench_ask', { question: 'Hello', prompt: 'Hello' }), /has no input “prompt”/);
  });

  it('ask with a service token at the deployment’s own address, and go back to the agent', async () => {
    const address = platform.chatApiUrl.replace(/agents\/\w+/, 'deployments/1');
    const claims = { externalId: 'Ann', scope: ['chat'], exp: Math.floor(Date.now() / 1000) + 600 };
    const token = type(signJwt(claims, platform.apiSecret));
    const said = await user.does(
      'modelbench.chat.setUp',
      undefined,
      pick('Another Chat API URL…'),
      type('https://example.com/chat'),
      type(address),
      token,
    );
    assert.match(said, /Chat API URL/);
    assert.notEqual(await invoke('modelbench_ask', { question: 'Hello' }), '');
    await user.does('modelbench.chat.setUp', undefined, pick('Agent 1'));
    assert.notEqual(await invoke('modelbench_ask', { question: 'Hello' }), '');
  });

  it('stop the answer on the platform when they are cancelled in the middle of it', async () => {
    const cancel = new vscode.CancellationTokenSource();
    const asked = invoke('modelbench_ask', { question: 'Tell me a long story about the data' }, cancel.token);
    const refused = assert.rejects(asked);
    await until(async () => (await platform.statuses('/stream-chat-state')).length === 4);
    cancel.cancel();
    await refused;
    await until(async () => (await platform.statuses('/chat/abort')).length > 0);
    assert.deepEqual(await platform.statuses('/chat/abort'), [204]);
  });

  it('name the deployment, the branch and where the model defines a name', async () => {
    assert.match(await invoke('modelbench_status', {}), /^1 {2}.+\nProduction: main/);
    await vscode.workspace.fs.writeFile(modelFile(), bytes(MODEL));
    const link = JSON.stringify({ tenant: platform.url, deployment: '1', modelPath: 'model' });
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder(), 'modelbench.json'), bytes(link));
    await problemsOf(modelFile(), (messages) => messages.some((text) => text.includes('sql_tabel')));
    const found = await invoke('modelbench_search', { query: 'talk_status' });
    assert.match(found, /^talk_orders\.talk_status \(dimension \w+\) {2}.*model\/talk\.yml:5$/m);
    assert.match(await invoke('modelbench_search', { query: 'no-such-member' }), /No name of the data model matches/);
    assert.match(await invoke('modelbench_check', {}), /model\/talk\.yml:\d+:\d+: error: .*sql_tabel/);
  });
});

/** Follows a link as another program hands it over, until it is so. */
async function follow(
  link: string,
  isSo: () => Promise<boolean> | boolean,
  ...answers: readonly Answer[]
): Promise<void> {
  const whole = link.includes('://') ? link : `${vscode.env.uriScheme}://modelbench.modelbench${link}`;
  await user.answering(
    async () => {
      // In a browser a link comes in through a page of VS Code's own.
      const page = await vscode.env.asExternalUri(vscode.Uri.parse(whole));
      // As text: a `Uri` would be encoded again on its way to the browser.
      const address: unknown = page.toString(true);
      assert.equal(await vscode.env.openExternal(address as vscode.Uri), true);
      await until(async () => {
        await platform.statuses('');
        return isSo();
      });
    },
    ...answers,
  );
}

describe('links', () => {
  const question = 'How many orders were there by status?';
  const shown = async (): Promise<string> => invoke('modelbench_status', {});

  it('lead to the thread that they were copied from', async () => {
    await user.does('modelbench.chat.openThread', undefined, pick(question));
    await until(async () => !/no link/.test(await user.does('modelbench.chat.copyLink', undefined)));
    const link = await vscode.env.clipboard.readText();
    assert.match(link, /^[\w-]+:\/\/modelbench\.modelbench\/deployment\/1\/chat\/.+\?tenant/);
    await vscode.commands.executeCommand('modelbench.chat.new');
    await follow(link, async () => {
      await vscode.commands.executeCommand('modelbench.chat.export');
      return vscode.window.activeTextEditor?.document.getText().includes(question) ?? false;
    });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('ask before the window shows another deployment, and say in one sentence what is not there', async () => {
    const before = await shown();
    const says = (words: RegExp) => () => words.test(user.said);
    await follow('/deployment/2', says(/This link opens .+\. The window shows .+\./));
    assert.equal(await shown(), before);
    await follow('/deployment/99', says(/opens deployment 99, which does not exist/));
    await follow('/deployment/1/branch/nowhere', says(/opens the branch “nowhere” of .+, which does not exist/));
    await follow('/deployment/1/chat/no-such-thread', says(/thread|found/i));
    await follow('/deployment/1/what', says(/This link is damaged/));
    await follow('/elsewhere', says(/does not recognize/));
    assert.equal(await shown(), before);
  });
});

let desk: ChatDesk;
let turn: ChatTurn;

/** The last query that the agent ran. */
function query() {
  const id = turn.messages.toArray().findLast(({ toolCall }) => toolCall?.name === 'serviceSqlApi')?.id;
  assert.ok(id !== undefined, 'the agent ran a query');
  return { type: 'tool', turn: turn.id, id } as const;
}

const attached = (): readonly string[] => {
  const last = desk.told.findLast(({ type: kind }) => kind === 'attachments');
  return last?.type === 'attachments' ? last.attachments.map(({ label }) => label) : [];
};

describe('what goes along with a question', () => {
  it('is a member of the model, a file, a selection and the problems of the open file, chosen by the user', async () => {
    desk = await atChat(platform, vscode.Uri.joinPath(folder(), 'threads'));
    const editor = await vscode.window.showTextDocument(modelFile());
    const attach = { type: 'attach', what: 'pick' } as const;
    const attaches = async (...answers: readonly ReturnType<typeof pick>[]): Promise<string> =>
      user.answering(() => desk.does(attach), ...answers);
    await attaches(escape);
    assert.deepEqual(attached(), []);
    await attaches(pick('Cube, View or Member…'), pick('talk_orders.talk_status'));
    await attaches(pick('Problems of the Open File'));
    editor.selection = new vscode.Selection(1, 0, 3, 0);
    await attaches(pick('Selection or Open File'));
    const path = vscode.workspace.asRelativePath(modelFile());
    await attaches(pick('File…'), pick(path));
    assert.deepEqual(attached(), ['talk_orders.talk_status', `Problems of ${path}`, `${path}:2–4`, path]);
    turn = await desk.asks('Show revenue by month as a chart');
    assert.deepEqual(attached(), []);
    assert.equal(turn.phase, 'complete');
    assert.match(turn.prompt, /<attached name="talk_orders\.talk_status"[^]*name: talk_status[^]*type: string/);
    assert.match(turn.prompt, /<attached name="Problems of [^]*talk\.yml:9: .*sql_tabel/);
  });

  it('is reported as missing where nothing is open, or nothing is wrong', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const said = (what: 'selection' | 'problems') => user.answering(() => desk.does({ type: 'attach', what }));
    assert.match(await said('selection'), /No text editor is open/);
    assert.match(await said('problems'), /The open file has no problems/);
    assert.deepEqual(attached(), []);
  });
});

describe('what is taken out of the chat', () => {
  it('is saved where the user says: rows as CSV, a chart as an image; nothing when they give up', async () => {
    const saveCsv = { ...query(), action: 'saveCsv' } as const;
    const file = vscode.Uri.joinPath(folder(), 'revenue.csv');
    await user.answering(() => desk.does(saveCsv), escape);
    await user.answering(() => desk.does(saveCsv), type(file.fsPath));
    assert.match(await textAt(file), /^\uFEFF"?[\w.]+"?,.*\r\n.*\d{4}-\d{2}/);
    const svg = vscode.Uri.joinPath(folder(), 'chart.svg');
    const image = { type: 'saveImage', format: 'svg', name: 'Revenue', data: '<svg/>' } as const;
    await user.answering(() => desk.does(image), type(svg.fsPath));
    assert.equal(await textAt(svg), '<svg/>');
    const png = vscode.Uri.joinPath(folder(), 'chart.png');
    const pixels = Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString('base64');
    await user.answering(() => desk.does({ ...image, format: 'png', data: pixels }), type(png.fsPath));
    assert.deepEqual([...(await vscode.workspace.fs.readFile(png))], [0x89, 0x50, 0x4e, 0x47]);
  });

  it('is the whole thread as Markdown in an editor, and a query as SQL', async () => {
    await desk.does({ type: 'export' });
    const thread = vscode.window.activeTextEditor?.document;
    assert.equal(thread?.languageId, 'markdown');
    assert.match(thread.getText(), /Show revenue by month as a chart[^]*SELECT/);
    await desk.does({ ...query(), action: 'openSql' });
    assert.equal(vscode.window.activeTextEditor?.document.languageId, 'sql');
    assert.match(vscode.window.activeTextEditor.document.getText(), /^SELECT/);
  });

  it('is deleted only after the question; the thread is gone with its file', async () => {
    const key = lastSnapshot()?.thread.key ?? '';
    const remove = { type: 'deleteThread', key } as const;
    assert.match(await user.answering(() => desk.does(remove)), /Delete the thread “Show revenue/);
    assert.equal(lastSnapshot()?.thread.key, key);
    await user.answering(() => desk.does(remove), press('Delete'));
    assert.notEqual(lastSnapshot()?.thread.key, key);
    await desk.leave();
    await user.does('modelbench.signOut', { accountId: platform.url }, press('Sign Out'));
    await vscode.workspace.fs.delete(folder(), { recursive: true });
    user.leave();
    platform.stop();
  });
});

function lastSnapshot(): Extract<HostToView, { readonly type: 'snapshot' }> | undefined {
  const last = desk.told.findLast(({ type: kind }) => kind === 'snapshot');
  return last?.type === 'snapshot' ? last : undefined;
}

/** The tab of the chat, once VS Code has reported it. */
async function chatTab(): Promise<vscode.Tab> {
  const find = (): vscode.Tab | undefined =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .find(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('chatPanel'));
  const there = find();
  if (there) return there;
  return new Promise((resolve) => {
    const listening = vscode.window.tabGroups.onDidChangeTabs(() => {
      const tab = find();
      if (!tab) return;
      listening.dispose();
      resolve(tab);
    });
  });
}
