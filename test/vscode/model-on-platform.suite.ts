import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Desk, sitDown } from './desk.ts';
import { problemsOf, problemsThat } from './problems.ts';
import { describe, it } from './runner.ts';

const orders = 'model/cubes/orders.yml';
const script = 'model/cubes/visits.js';
/** Its type is known to what runs it only. */
const VISITS = (type: string): string => `cube('visits', {
  sql_table: 'visits',
  dimensions: {
    day: { sql: 'day', type: [${JSON.stringify(type)}].join('') },
  },
});
`;

let desk: Desk | undefined;

async function atDesk(): Promise<Desk> {
  if (desk) return desk;
  desk = await sitDown('on-platform/shop');
  await desk.startDevMode('main');
  return desk;
}

const uriOf = ({ folder }: Desk, path: string): vscode.Uri => vscode.Uri.joinPath(folder, path);

/** Saves the script and answers its problems once they say what they should. */
async function saved(own: Desk, text: string, areThere: (messages: readonly string[]) => boolean): Promise<string> {
  await own.edit(script, () => text);
  return (await problemsOf(uriOf(own, script), areThere)).join('\n');
}

describe('a saved model', () => {
  // @shows validate-on-save
  it('shows once what the platform finds, which is not compiled on this machine', async () => {
    const own = await atDesk();
    await own.write(script, '');
    await own.user.does('modelbench.language.chooseScripts', 'skip');
    // What the branch's build reports as well, maybe before, is not shown twice.
    const found = await saved(own, VISITS('data'), (messages) =>
      messages.some((each) => each.includes('dimensions.day')),
    );
    assert.match(found, /^(?:visits cube: )?"dimensions\.day" does not match any of the allowed types\n/);
    assert.equal(found.split('does not match').length, 2);
  });

  // @shows validate-on-save
  it('keeps the problems of our own checks once, and has none after the mistakes are mended', async () => {
    const own = await atDesk();
    const before = await own.read(orders);
    await own.edit(orders, (text) => text.replace('{CUBE}', '{CUBE.nowhere}'));
    const inOrders = await problemsThat(uriOf(own, orders), (found) => found.length > 0);
    assert.equal(inOrders.length, 1);
    await own.edit(orders, () => before);
    assert.deepEqual(await problemsOf(uriOf(own, orders), (messages) => messages.length === 0), []);
    assert.equal(await saved(own, VISITS('time'), (messages) => messages.length === 0), '');
  });

  it('leaves the platform as it was', async () => {
    await desk?.leave();
  });
});
