import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandId } from '#shell/commands/commands.ts';
import { type Answer, escape, pick, type } from '../answers.ts';
import { saveAs } from '../editors.ts';
import { problems } from '../problems.ts';
import { dashboardForms } from '../dashboard-forms.ts';
import * as platformForms from '../forms.ts';
import { type Forms, type RefusedRequest, refusalOf, refusals, type WrongInput } from '../forms.ts';
import { describe, it } from '../runner.ts';
import { effects, stage, type Stage, platformViews } from '../signed-in-stage.ts';

/** Each form with each wrong input, and with each refusal of each of its requests. */
function testForms(of: string, forms: Forms): void {
  it(`names each field of ${of} that is filled in wrong, and sends nothing`, async () => {
    await stage().platform.requests();
    for (const row of forms.wrongInputs) {
      for (const typed of row.typed) {
        const answers = filled(stage(), [...row.before, type(typed), escape, ...(row.after ?? [])]);
        const said = await stage().user.does(row.command, argumentOf(stage(), row.on), ...answers);
        assert.match(said, row.says, `${row.command}, ${row.field} “${typed}”: ${said}`);
      }
    }
    assert.deepEqual(await effects(stage()), []);
  });

  it(`marks each field of a document of ${of} that is filled in wrong, and sends nothing`, async () => {
    const { user, platform } = stage();
    await platform.requests();
    for (const rows of Map.groupBy(forms.wrongDocuments, ({ command, answers }) =>
      JSON.stringify([command, answers]),
    ).values()) {
      const [first] = rows;
      if (first) await user.does(first.command, argumentOf(stage(), first.on), ...first.answers);
      for (const { saves, marks } of rows) {
        await user.answering(async () => assert.equal(await saveAs(saves), false, JSON.stringify(saves)));
        assert.match(problems(), marks, JSON.stringify(saves));
      }
      await closeEditor();
    }
    assert.deepEqual(await effects(stage()), []);
  });

  for (const row of forms.refusedRequests) {
    const { operation, command, saves } = row;
    it(`says each refusal of ${operation} where ${command} is used, and changes nothing`, async () => {
      await stage().platform.requests();
      await (saves === undefined ? refusedForm(stage(), row) : refusedDocument(stage(), row, saves));
      await stage().platform.faults([]);
      assert.deepEqual(await effects(stage()), []);
      assert.ok(!existsSync(file));
    });
  }
}

describe(
  'the views of the platform',
  () => {
    testForms('the views of the platform', platformForms);
    testForms('dashboards', dashboardForms);

    it('says that a key which is scoped to other deployments may not do it', async () => {
      const { user, platform, target } = stage();
      await user.does(
        'modelbench.signIn',
        { accountId: target.accountId },
        type(platform.url),
        type(platform.scopedKey),
      );
      await platform.requests();
      const there = { ...target, deploymentId: '3', environmentId: '1' };
      for (const [command, ...answers] of outOfScope) {
        const said = await user.does(command, there, ...answers);
        assert.match(said, /If the key is limited to other deployments/, `${command}: ${said}`);
      }
      assert.deepEqual(await effects(stage()), []);
      await user.does('modelbench.signIn', { accountId: target.accountId }, type(platform.url), type(platform.apiKey));
    });
  },
  platformViews,
);

/** One command for each way that a deployment is asked for. */
const outOfScope: readonly (readonly [command: CommandId, ...answers: readonly Answer[]])[] = [
  ['modelbench.deployment.changeVersion'],
  ['modelbench.deployment.editVariables'],
  ['modelbench.deployment.showPods'],
  ['modelbench.deployment.dbtSync'],
  ['modelbench.deployment.creationStep', pick('Next Step')],
  ['modelbench.notification.show', pick('All')],
  ['modelbench.environment.createToken', type('{}'), type('1h')],
];

async function refusedForm(stage: Stage, row: RefusedRequest): Promise<void> {
  for (const { status, says } of refusals) {
    await stage.platform.faults([refusalOf(row.operation, status)]);
    const goesOn = row.goesOn?.includes(status) === true;
    const answers = filled(stage, goesOn ? [...row.answers, escape] : row.answers);
    const said = await stage.user.does(row.command, argumentOf(stage, row.on), ...answers);
    if (goesOn) assert.equal(said, '', `${status}: ${said}`);
    else assert.match(said, says, `${status}: ${said}`);
    assert.doesNotMatch(said, /Something went wrong/);
  }
}

/** VS Code itself shows why a document was not saved; `test/unit/features/workspace/refusals.test.ts` has the words of all. */
async function refusedDocument(stage: Stage, row: RefusedRequest, saves: object): Promise<void> {
  const answers = filled(stage, row.answers);
  await stage.user.does(row.command, argumentOf(stage, row.on), ...answers.slice(0, -1));
  for (const status of [400, 403, 501]) {
    await stage.platform.faults([refusalOf(row.operation, status)]);
    const save = async (): Promise<void> => assert.equal(await saveAs(saves), false, `${status}: saved all the same`);
    await stage.user.answering(save, ...answers.slice(-1));
  }
  await closeEditor();
}

const file = path.join(tmpdir(), 'modelbench-refused.csv');

function argumentOf({ target }: Stage, on: WrongInput['on']): unknown {
  const row = (kind: 'REPORT' | 'WORKBOOK') => ({
    kind: 'item',
    ...target,
    item: { type: kind, id: '1', publicId: 'x', name: 'x' },
  });
  switch (on) {
    case 'none':
      return undefined;
    case 'account':
      return { accountId: target.accountId };
    case 'deployment':
      return target;
    case 'environment':
      return { ...target, environmentId: '1' };
    case 'report':
      return row('REPORT');
    default:
      return row('WORKBOOK');
  }
}

function filled({ platform, names }: Stage, answers: readonly Answer[]): readonly Answer[] {
  const values: Readonly<Record<string, string>> = { url: platform.url, key: platform.apiKey, file, ...names };
  const text = JSON.stringify(answers).replaceAll(/\{(\w+)\}/g, (found, name: string) => values[name] ?? found);
  return JSON.parse(text) as readonly Answer[];
}

/** Closes the document that a form opened, with its changes. */
async function closeEditor(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
