import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { noTabNamed, tabNamed, untitledText } from './editors.ts';
import { User, pick, press } from './user.ts';
import { atProposals, type ProposalsDesk } from './proposals-desk.ts';
import { describe, it } from './runner.ts';
import { until } from './until.ts';

const measure = (name: string, type = 'sum'): string =>
  `      - name: ${name}\n        sql: ${name}\n        type: ${type}\n`;
const cube = (...measures: readonly string[]): string =>
  `cubes:\n  - name: a\n    sql_table: a\n    measures:\n${measures.join('')}`;
const inFence = (path: string, text: string): string => `\`\`\`yaml ${path}\n${text}\`\`\`\n`;
const CUBE = cube(measure('one'), measure('two'));

let desk: ProposalsDesk;
let user: User;
let count = 0;

/** A model file of a test's own, so that no editor of another test has it open. */
async function fresh(text = CUBE): Promise<string> {
  count += 1;
  const path = `proposed/a${count}.yml`;
  await desk.write(path, text);
  return path;
}

/** Shows and accepts, as the user does. */
async function accept(turn: string, ...paths: readonly string[]): Promise<void> {
  await desk.does(turn, 'review', ...paths);
  await desk.does(turn, 'accept', ...paths);
}

const states = async (turn: string): Promise<readonly string[]> => (await desk.card(turn)).map(({ state }) => state);

/** Types at the start of a file without saving. */
async function typeInto(path: string, text: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(desk.at(path));
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  return document;
}

/** Resolves once diagnostics are as they should be. */
async function diagnosticsUntil(isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  await new Promise<void>((resolve) => {
    const listening = vscode.languages.onDidChangeDiagnostics(() => {
      if (!isSo()) return;
      listening.dispose();
      resolve();
    });
  });
}

describe('proposed files', () => {
  it('are shown first, and what they replace goes to the trash', async () => {
    desk = await atProposals('proposed');
    user = new User();
    const path = await fresh();
    const turn = await desk.answers(inFence(path, measure('three')));
    await desk.does(turn, 'accept', path);
    await tabNamed(`a1.yml ↔ Agent’s proposal`);
    assert.equal(await desk.read(path), CUBE);
    await desk.does(turn, 'accept', path);
    assert.equal(await desk.read(path), CUBE + measure('three'));
    assert.deepEqual(desk.trash, [[path, CUBE]]);
    assert.deepEqual(await states(turn), ['accepted']);
  });

  it('are accepted from the editor that shows them, which closes', async () => {
    const path = await fresh();
    const turn = await desk.answers(inFence(path, measure('three')));
    await desk.does(turn, 'review', path);
    const title = await tabNamed(/a2\.yml ↔ Agent/);
    await desk.decides('accept');
    assert.equal(await desk.read(path), CUBE + measure('three'));
    await noTabNamed(title);
  });

  it('are accepted change by change, and the others later', async () => {
    const path = await fresh();
    const whole = cube(measure('zero'), measure('one'), measure('two'), measure('three'));
    const turn = await desk.answers(inFence(path, whole));
    await desk.does(turn, 'review', path);
    await user.answering(() => desk.does(turn, 'acceptHunks', path), pick('Line 11'));
    assert.equal(await desk.read(path), CUBE + measure('three'));
    assert.deepEqual(await states(turn), ['partly']);
    await accept(turn, path);
    assert.equal(await desk.read(path), whole);
    await desk.does(turn, 'undo', path);
    assert.equal(await desk.read(path), CUBE);
  });

  it('are merged into unsaved edits, which stay unsaved and stay the user’s', async () => {
    const path = await fresh();
    const turn = await desk.answers(inFence(path, measure('three')));
    const document = await typeInto(path, '# typing\n');
    await accept(turn, path);
    assert.equal(document.getText(), `# typing\n${CUBE}${measure('three')}`);
    assert.equal(document.isDirty, true);
    assert.equal(await desk.read(path), CUBE);
    assert.match((await desk.card(turn))[0]?.note ?? '', /not saved yet/);
    await document.save();
    await desk.does(turn, 'undo', path);
    assert.equal(await desk.read(path), `# typing\n${CUBE}`);
  });

  it('are merged into what was saved after the question, also by another program', async () => {
    const path = await fresh();
    const turn = await desk.answers(inFence(path, measure('three')));
    await desk.write(path, `# later\n${CUBE}`);
    assert.match((await desk.card(turn))[0]?.note ?? '', /your changes are kept/);
    await accept(turn, path);
    assert.equal(await desk.read(path), `# later\n${CUBE}${measure('three')}`);
  });

  it('keep the line endings that a file has', async () => {
    const path = await fresh(CUBE.replaceAll('\n', '\r\n'));
    const turn = await desk.answers(inFence(path, measure('three')));
    await accept(turn, path);
    assert.equal(await desk.read(path), (CUBE + measure('three')).replaceAll('\n', '\r\n'));
  });

  it('stay decided after a reload, and can still be undone without losing later work', async () => {
    const [kept, refused] = [await fresh(), await fresh()];
    const turn = await desk.answers(`${inFence(kept, measure('three'))}\n${inFence(refused, measure('three'))}`);
    await accept(turn, kept);
    await desk.does(turn, 'reject', refused);
    desk.reload();
    assert.deepEqual(await states(turn), ['accepted', 'rejected']);
    await desk.write(kept, `# later\n${CUBE}${measure('three')}`);
    await vscode.workspace.openTextDocument(desk.at(kept));
    await desk.does(turn, 'accept', kept, refused);
    assert.equal(await desk.read(refused), CUBE);
    await desk.does(turn, 'undo', kept, refused);
    assert.equal(await desk.read(kept), `# later\n${CUBE}`);
    assert.deepEqual(await states(turn), ['open', 'open']);
  });

  it('make new files, and undoing deletes them again', async () => {
    const path = 'proposed/made.yml';
    const text = 'cubes:\n  - name: made\n    sql_table: made\n';
    const turn = await desk.answers(inFence(path, text));
    await accept(turn, path);
    assert.equal(await desk.read(path), text);
    await desk.does(turn, 'undo', path);
    assert.equal(await desk.read(path), '');
  });

  it('hide nothing else when one of them has an odd path', async () => {
    const path = await fresh();
    const odd = `${path}/x.yml`;
    const turn = await desk.answers(`${inFence(odd, CUBE)}\n${inFence(path, measure('three'))}`);
    assert.deepEqual(
      (await desk.card(turn)).map(({ path: name, state }) => [name, state]),
      [
        [odd, 'refused'],
        [path, 'open'],
      ],
    );
    await accept(turn, odd, path);
    assert.equal(await desk.read(path), CUBE + measure('three'));
  });

  it('open beside the file, which stays as it is, where their position is uncertain', async () => {
    const path = await fresh();
    const turn = await desk.answers(inFence(path, 'sql: something_else\ntype: number\n'));
    assert.deepEqual(await states(turn), ['draft']);
    await accept(turn, path);
    await desk.does(turn, 'draft', path);
    assert.match(await untitledText(/something_else/), /^sql: something_else\ntype: number/);
    assert.equal(await desk.read(path), CUBE);
  });
});

describe('the engine’s verdict on proposed files', () => {
  const refusal = (path: string) =>
    ({
      state: 'refused',
      errors: [{ message: 'It is strange.', location: { uri: desk.at(path).toString(), line: 2 } }],
    }) as const;
  const marks = (path: string): readonly string[] =>
    vscode.languages
      .getDiagnostics()
      .filter(([uri]) => uri.scheme === 'modelbench-proposal' && uri.path === desk.at(path).path)
      .flatMap(([, found]) => found.map(({ message, range }) => `${range.start.line} ${message}`));

  // @shows engine-check-of-proposals
  it('is marked in the change that is shown, and accepting it is asked about', async () => {
    const path = await fresh();
    desk.engine = () => Promise.resolve(refusal(path));
    const turn = await desk.answers(inFence(path, measure('three')));
    await desk.does(turn, 'review', path);
    await diagnosticsUntil(() => marks(path).length > 0);
    assert.deepEqual(marks(path), ['2 It is strange.']);
    const [item] = await desk.card(turn);
    assert.deepEqual(item?.engine, {
      state: 'refused',
      text: 'The engine refuses the model with this change: It is strange.',
    });
    const said = await user.answering(() => desk.does(turn, 'accept', path));
    assert.match(said, /^The engine refuses the model with this change\.\nproposed\/.+\.yml, line 3: It is strange\.$/);
    assert.equal(await desk.read(path), CUBE);
    await user.answering(() => desk.does(turn, 'accept', path), press('Accept Anyway'));
    assert.equal(await desk.read(path), CUBE + measure('three'));
  });

  it('is asked for the text that would be written, with nothing on the disk changed', async () => {
    const path = await fresh();
    const asked: (readonly string[])[] = [];
    desk.engine = async (texts) => {
      asked.push([...texts, await desk.read(path)]);
      return { state: 'accepted' };
    };
    const turn = await desk.answers(inFence(path, measure('three')));
    await accept(turn, path);
    assert.deepEqual(asked, [[CUBE + measure('three'), CUBE]]);
  });

  it('holds nothing back where there is none, and says why', async () => {
    const path = await fresh();
    desk.engine = () => Promise.resolve({ state: 'skipped', reason: 'The engine check is off here.' });
    const turn = await desk.answers(inFence(path, measure('three')));
    await accept(turn, path);
    assert.equal(await desk.read(path), CUBE + measure('three'));
    assert.deepEqual(desk.reported, []);
  });
});

describe('merging proposed files with one’s own changes of the same lines', () => {
  const mine = CUBE.replace('sql: two', 'sql: zwei');
  const document = (path: string): Thenable<vscode.TextDocument> => vscode.workspace.openTextDocument(desk.at(path));

  it('gives the user’s text back in the next window when the first one ended in the middle', async () => {
    const path = await fresh();
    const begun = [{ file: desk.at(path).toString(), mine, start: CUBE }];
    await desk.write('.threads/proposal-merges.json', JSON.stringify(begun));
    desk.reload();
    await until(async () => (await document(path)).getText() === mine);
    await desk.leave();
    user.leave();
  });
});
