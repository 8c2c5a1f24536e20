import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { auditLogCsv } from '#api/streams/byte-stream.ts';
import { csvRows } from '#features/audit/csv-rows.ts';
import type { HostToResults } from '#features/data/messages.ts';
import { replacePages } from '../pages.ts';
import { pick, type } from '../user.ts';
import { describe, it } from '../runner.ts';
import { stage, platformViews } from '../signed-in-stage.ts';

const command = 'modelbench.audit.export';

// The audit log as a file and as a table, compared with what the platform itself reports.
describe(
  'the views of the platform',
  () => {
    const own = async (query: Parameters<typeof auditLogCsv>[1]): Promise<readonly (readonly string[])[]> => {
      const all: (readonly string[])[] = [];
      for await (const rows of csvRows(auditLogCsv(stage().platform.client, query))) all.push(...rows);
      return all;
    };
    const inFolder = async (work: (folder: string, file: string) => Promise<void>): Promise<void> => {
      const folder = mkdtempSync(path.join(tmpdir(), 'modelbench-audit-'));
      try {
        await work(folder, path.join(folder, 'audit.csv'));
      } finally {
        await stage().platform.faults([]);
        rmSync(folder, { recursive: true, force: true });
      }
    };

    it('exports the audit log as the platform has it, filtered where that is wanted', async () => {
      const { user, target } = stage();
      await inFolder(async (_, file) => {
        await user.does(command, target, type(''), pick('Everything'), type(file));
        const [first, ...rows] = await own({});
        const written = readFileSync(file, 'utf8');
        assert.ok(written.startsWith(first?.join() ?? 'no header'));
        assert.ok(rows.length > 10 && written.trimEnd().split('\r\n').length >= rows.length);
        await user.does(command, target, type('2020-01-01'), pick('By Event…'), type('report.created'), type(file));
        const some = await own({ start: '2020-01-01', eventName: 'report.created' });
        assert.equal(readFileSync(file, 'utf8').trimEnd().split('\r\n').length, some.length);
        assert.ok(some.length > 1 && some.length < rows.length);
      });
    });

    it('leaves the file as it was, and no half one, when the stream breaks or the user cancels', async () => {
      const { user, platform, target } = stage();
      await inFolder(async (folder, file) => {
        writeFileSync(file, 'an earlier export');
        const answers = [type(''), pick('Everything'), type(file)];
        await platform.faults([{ kind: 'cut', afterBytes: 200, path: 'audit-logs' }]);
        assert.match(await user.does(command, target, ...answers), /\S/);
        await platform.faults([]);
        const told = await cancelling(async () => {
          assert.equal(await user.does(command, target, ...answers), '', 'what a person cancels is no error');
        });
        assert.match(told.join(), /^\d+ KB/);
        assert.deepEqual(readdirSync(folder), ['audit.csv']);
        assert.equal(readFileSync(file, 'utf8'), 'an earlier export');
      });
    });

    it('opens it at once as a table, newest first, where the period and the event are chosen', async () => {
      const { user, target } = stage();
      const page = replacePages<HostToResults>();
      try {
        const event = 'report.created';
        await user.does('modelbench.audit.show', target);
        await page.send({ type: 'ready' });
        await page.heard('state', ({ phase }) => phase === 'done');
        await user.answering(async () => page.send({ type: 'choose', id: 'period' }), pick('All Events'));
        const chosen = (id: string, value: string) =>
          page.heard(
            'state',
            ({ phase, choices }) => phase === 'done' && choices?.find((choice) => choice.id === id)?.value === value,
          );
        await chosen('period', 'all');
        await user.answering(async () => page.send({ type: 'choose', id: 'eventName' }), type(event));
        const { columns, count } = await chosen('eventName', event);
        assert.equal(page.title(), 'Audit Log');
        await page.send({ type: 'rows', offset: 0, count });
        const { rows } = await page.heard('rows');
        const [names, ...events] = await own({ eventName: event });
        assert.deepEqual(
          columns.map(({ name }) => name),
          names,
        );
        const sorted = (all: readonly (readonly unknown[])[]): readonly string[] => all.map(String).toSorted();
        const isTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT/.test(value);
        // Swedish writes a time as the table does.
        const local = (value: string): string => (isTime(value) ? new Date(value).toLocaleString('sv') : value);
        assert.deepEqual(sorted(rows), sorted(events.map((values) => values.map(local))));
        const at = events[0]?.findIndex(isTime) ?? -1;
        const times = rows.map((row) => String(row[at]));
        assert.ok(at >= 0);
        assert.deepEqual(times, times.toSorted().toReversed());
        assert.ok(count > 0);
      } finally {
        page.restore();
        page.close();
      }
    });
  },
  platformViews,
);

/** Presses *Cancel* of the progress as soon as it says how far it is; answers what it said. */
async function cancelling(work: () => Promise<void>): Promise<readonly string[]> {
  const { withProgress } = vscode.window;
  const told: string[] = [];
  Object.assign(vscode.window, {
    withProgress: async (
      _: unknown,
      task: (progress: vscode.Progress<{ message?: string }>, token: vscode.CancellationToken) => Thenable<unknown>,
    ) => {
      const source = new vscode.CancellationTokenSource();
      const report = ({ message = '' }: { message?: string }): void => {
        told.push(message);
        source.cancel();
      };
      return task({ report }, source.token);
    },
  });
  try {
    await work();
  } finally {
    Object.assign(vscode.window, { withProgress });
  }
  return told;
}
