import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDeployment, listDeployments } from '#api/resources/deployments.ts';
import { connectGithub } from '#api/resources/github.ts';
import { createPlatform, type Platform } from '#platform/app.ts';
import { demo } from '#platform/seed/names.ts';
import { send } from '#support/platform.ts';
import { quickEngine } from '#support/quick-engine.ts';

/** What a platform that was killed in the middle of a request leaves, made by hand, and what the next one makes of it. */

async function seeded(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'platform-unfinished-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  await (await createPlatform({ dataDir, engine: quickEngine() })).close();
  return dataDir;
}

async function opened(dataDir: string): Promise<Platform> {
  const platform = await createPlatform({ dataDir, engine: quickEngine() });
  onTestFinished(() => platform.close());
  return platform;
}

function change(dataDir: string, sql: string): void {
  const database = new DatabaseSync(join(dataDir, 'platform.sqlite'));
  database.exec(sql);
  database.close();
}

const params = { deploymentId: demo.cli };
const body = { ...demo.github, branch: 'develop' };
const journalled = `INSERT INTO journal VALUES ('one', ${demo.cli}, '', '{"kind":"swap"}')`;

describe('a repository that was being replaced by a clone', () => {
  it.each([
    ['the clone is made', 0],
    ['the old one is put aside', 1],
    ['the clone is in its place', 2],
  ])('stays the old one when it was killed once %s', async (_, stage) => {
    const dataDir = await seeded();
    const dir = join(dataDir, 'git', String(demo.cli), 'repository.git');
    change(dataDir, journalled);
    cpSync(join(dataDir, 'git', String(demo.shop), 'repository.git'), `${dir}.new`, { recursive: true });
    if (stage > 0) renameSync(dir, `${dir}.old`);
    if (stage > 1) renameSync(`${dir}.new`, dir);

    const platform = await opened(dataDir);
    expect(Object.keys(await platform.control.hashes(demo.cli, 'master'))).toEqual(['model/cubes/forecasts.yml']);
    expect([existsSync(`${dir}.new`), existsSync(`${dir}.old`)]).toEqual([false, false]);
    expect(platform.control.rows()['journal']).toEqual([]);
    expect((await send(platform, connectGithub, { params, body })).status).toBe(200);
    expect(await platform.control.readFile(demo.cli, 'develop', 'NOTES.md')).toBe('Drafts\n');
  });

  it('becomes the clone once its rows are there, whatever else was left', async () => {
    const dataDir = await seeded();
    const first = await createPlatform({ dataDir, engine: quickEngine() });
    expect((await send(first, connectGithub, { params, body })).status).toBe(200);
    await first.close();
    const dir = join(dataDir, 'git', String(demo.cli), 'repository.git');
    mkdirSync(`${dir}.old`);
    const platform = await opened(dataDir);
    expect(await platform.control.readFile(demo.cli, 'develop', 'NOTES.md')).toBe('Drafts\n');
    expect((await send(platform, connectGithub, { params, body: { ...body, branch: 'main' } })).status).toBe(200);
    expect(existsSync(`${dir}.old`)).toBe(false);
  });
});

describe('a deployment that was being created', () => {
  it('does not exist, and its name is free', async () => {
    const dataDir = await seeded();
    change(
      dataDir,
      `INSERT INTO deployments (id, tenant_id, name, created_at, deploy_mode, creation_method, creation_step,
         cloud_provider, region, version, release_channel, deploy_branch)
       VALUES (77, 1, 'Half', '2026-01-01', 'git', 'upload', 'project', 'aws', 'eu', '1.7.43', 'latest', 'main')`,
    );
    mkdirSync(join(dataDir, 'git', '77', 'repository.git'), { recursive: true });
    const platform = await opened(dataDir);
    const { value } = await send(platform, listDeployments);
    expect(value.data.deployments.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(existsSync(join(dataDir, 'git', '77'))).toBe(false);
    expect((await send(platform, createDeployment, { body: { name: 'Half' } })).status).toBe(200);
  });
});
