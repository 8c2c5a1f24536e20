import * as api from '#api/resources/branches.ts';
import { deleteDataModelFiles, writeDataModelFiles } from '#api/resources/data-model.ts';
import type { Platform } from '#platform/app.ts';
import { openPlatform, send, toRequest } from '#support/platform.ts';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const params = { deploymentId: 1 };
const dev = 'dev-ada-1';
const paths = ['model/a.yml', 'model/b.yml', 'deep/er/c.yml'] as const;

type Files = Readonly<Record<string, string | undefined>>;
type Step =
  | { readonly kind: 'write' | 'remove' | 'theirs' | 'theirsRemove'; readonly path: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'pull' };

/** What the branches should hold, computed without Git: files are single lines, so whoever changed one changed all of it. */
interface Model {
  readonly work: Files;
  readonly base: Files;
  readonly parent: Files;
  /** Whether the parent has moved since the dev branch last had its changes. */
  readonly moved: boolean;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('write', 'write', 'remove', 'theirs', 'theirsRemove'),
    path: fc.constantFrom(...paths),
  }),
  fc.constantFrom({ kind: 'commit' } as const, { kind: 'pull' } as const),
);

describe('a dev branch and its parent', () => {
  it('hold what a three-way merge by hand would give, whatever both sides do', async () => {
    const platform = await openPlatform();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 20 }), async (steps) => {
        await startOver(platform, run++);
        let model: Model = { work: {}, base: {}, parent: {}, moved: false };
        for (const [at, next] of steps.entries()) {
          model = await take(platform, model, next, `${run}-${at}\n`);
          expect(await contents(platform, dev)).toEqual(hashed(model.work));
          expect(await contents(platform, 'main')).toEqual(hashed(model.parent));
        }
      }),
      { numRuns: 10, seed: 20_261_121, endOnFailure: true },
    );
  });
});

async function startOver(platform: Platform, run: number): Promise<void> {
  if (run > 0) {
    await send(platform, api.deleteBranch, { params, query: { branchName: dev } });
    await platform.control.colleagueCommit(1, 'main', Object.fromEntries(paths.map((path) => [path, null])));
  }
  const { value } = await send(platform, api.startDevMode, { params, body: { branchName: 'main' } });
  expect(value.name).toBe(dev);
}

async function take(platform: Platform, model: Model, next: Step, content: string): Promise<Model> {
  if (next.kind === 'commit') return commit(platform, model);
  if (next.kind === 'pull') return pull(platform, model);
  const value = next.kind === 'write' || next.kind === 'theirs' ? content : undefined;
  if (next.kind === 'theirs' || next.kind === 'theirsRemove') {
    await platform.control.colleagueCommit(1, 'main', { [next.path]: value ?? null });
    return { ...model, parent: { ...model.parent, [next.path]: value }, moved: true };
  }
  const absent = value === undefined && model.work[next.path] === undefined;
  expect(await change(platform, next.path, value)).toBe(absent ? 404 : 204);
  return { ...model, work: { ...model.work, [next.path]: value } };
}

/** Writes a file, or deletes it; answers the status. */
async function change(platform: Platform, path: string, content: string | undefined): Promise<number> {
  const body = { branchName: dev, files: [{ path, ...(content === undefined ? {} : { content }) }] };
  const operation = content === undefined ? deleteDataModelFiles : writeDataModelFiles;
  const response = await platform.fetch(toRequest(platform, operation, { params, body }));
  return response.status;
}

async function commit(platform: Platform, model: Model): Promise<Model> {
  const { status } = await send(platform, api.commit, { params, body: { branchName: dev, message: 'Mine' } });
  const dirty = paths.some((path) => model.work[path] !== model.base[path]);
  expect(status).toBe(model.moved ? 409 : dirty ? 200 : 400);
  return status === 200 ? { ...model, base: model.work, parent: model.work } : model;
}

async function pull(platform: Platform, model: Model): Promise<Model> {
  const { status, body } = await send(platform, api.pull, { params, body: { branchName: dev } });
  const { work, base, parent } = model;
  const conflicts = paths.filter(
    (path) => work[path] !== base[path] && parent[path] !== base[path] && work[path] !== parent[path],
  );
  expect(status).toBe(conflicts.length > 0 ? 409 : 200);
  if (status === 409) {
    expect(api.conflictPaths(body)).toEqual([...conflicts].sort());
    return model;
  }
  const merged = Object.fromEntries(paths.map((path) => [path, work[path] === base[path] ? parent[path] : work[path]]));
  return { work: merged, base: parent, parent, moved: false };
}

async function contents(platform: Platform, branch: string): Promise<Record<string, string>> {
  const hashes = await platform.control.hashes(1, branch);
  return Object.fromEntries(paths.flatMap((path) => (hashes[path] === undefined ? [] : [[path, hashes[path]]])));
}

function hashed(files: Files): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, content]) =>
      content === undefined ? [] : [[path, createHash('sha1').update(content).digest('hex')]],
    ),
  );
}
