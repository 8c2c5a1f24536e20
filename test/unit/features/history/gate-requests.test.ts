import { describe, expect, it } from 'vitest';
import { commitStep } from '#features/history/commit.ts';
import { openStepDesk } from '#support/step-desk.ts';

describe('the requests of a commit to production', () => {
  it('read each branch once for the page, again before it is sent, and nothing in between', async () => {
    const desk = await openStepDesk([
      async (page) => {
        await page.press();
        desk.log.push('pressed');
      },
    ]);
    const { dev, log, ports } = desk;
    expect(await commitStep(ports, dev, {})).toBe(true);
    const at = log.indexOf('pressed');
    const isContent = (line: string): boolean => line === 'GET files main' || line === `GET files ${dev.branchName}`;
    const once = [
      'GET branches',
      `GET build-status ${dev.branchName}`,
      'GET file-hashes main',
      `GET file-hashes ${dev.branchName}`,
    ];
    const onPage = log.slice(0, at).filter((line) => !isContent(line));
    expect(onPage.toSorted()).toEqual([...once, `GET validate ${dev.branchName}`].toSorted());
    const pressed = log.slice(at + 1);
    const sent = pressed.indexOf('POST commit');
    expect(pressed.slice(0, sent).toSorted()).toEqual(once.toSorted());
  });
});
