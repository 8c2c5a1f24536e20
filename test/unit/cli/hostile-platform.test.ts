import { beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '#api/schema.ts';
import { runCommandLine } from '#cli/run.ts';
import { demo } from '#platform/seed/names.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { tools } from '#tools/tools.ts';
import { realEngine } from '#support/real-engine.ts';

/** Moves the cursor, renames the window, turns the writing direction, begins a line of its own, and commands of pipelines. */
const HOSTILE =
  'x\u001B[2J\u009B1A\u001B]0;t\u0007\u202E\rFORGED: \nFORGED: 1\u2028FORGED: 2\n::error::FORGED ##vso[task.complete]';

/** Texts that users, programs and models choose; others are ids, addresses, hashes and times. */
const CHOSEN =
  /^(?:message|errorText|error|description|title|author|authorName|email|text|log|line|reason|nodeName|pod|podName|value|sql)$/;

/** Returns an answer of the platform in which every text that someone chose is hostile, and that has more of everything. */
function hostile(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return [...value.map((each) => hostile(each, key)), ...more(value)];
  if (isObject(value)) return hostileObject(value);
  return typeof value === 'string' && CHOSEN.test(key) ? `${value}${HOSTILE}` : value;
}

/** Returns one more branch, or one more file, for a list of them. */
function more([first]: readonly unknown[]): readonly unknown[] {
  if (!isObject(first)) return [];
  if (typeof first['path'] === 'string') return [{ ...first, path: `model/${HOSTILE}.yml` }];
  return 'parentBranch' in first || 'lastHash' in first ? [{ ...first, name: `other ${HOSTILE}` }] : [];
}

function hostileObject(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { name, files } = value;
  const isDeployment = 'deployMode' in value || 'deploymentUrl' in value || 'releaseChannelVersion' in value;
  const made = Object.entries(value).map(([key, each]) => [key, hostile(each, key)] as const);
  return {
    ...Object.fromEntries(made),
    ...(isDeployment && typeof name === 'string' ? { name: `${name} ${HOSTILE}` } : {}),
    ...(isObject(files) ? { files: { ...files, [`model/${HOSTILE}.yml`]: { hash: 'a'.repeat(40) } } } : {}),
  };
}

const calls: Readonly<Record<string, readonly string[]>> = {
  diff: ['--branch', 'main', '--workspace'],
  impact: ['orders.count', '--workspace'],
  builds: [],
  validate: ['DEV'],
  query: ['{"measures":["orders.count"],"dimensions":["orders.status"]}'],
  sql: ['{"measures":["orders.count"]}'],
  logs: ['DEV'],
  commit: ['Add', '--yes'],
  merge: ['DEV', '--yes'],
  deploy: [],
};

describe('a platform whose texts are hostile', () => {
  let project: LinkedProject;
  beforeEach(async () => {
    project = await linkProject({ engine: realEngine() });
    await project.run('pull', '--yes');
    project.write(
      'model/cubes/broken.yml',
      'cubes: [{name: broken, sql_table: t, measures: [{name: a, type: cuont}]}]\n',
    );
    project.write('queries/a.query.yml', 'query: {measures: [orders.count]}\ntests: [{name: a, rowCount: 7}]\n');
    await project.run('push', '--yes');
    await project.platform.control.buildSettled(demo.shop, project.branch);
    project.write('model/cubes/later.yml', 'cubes: [{name: later, sql_table: t}]\n');
  });

  async function run(variables: Readonly<Record<string, string>>, ...args: readonly string[]) {
    let [out, err, told] = ['', '', 0];
    const { environment } = project;
    const code = await runCommandLine(args, {
      ...environment,
      variables: { ...environment.variables, ...variables },
      isInteractive: false,
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
      fetch: async (input, init) => {
        const reply = await project.platform.fetch(new Request(input, init));
        if (!(reply.headers.get('content-type') ?? '').includes('json') || reply.url.endsWith('/spec')) return reply;
        told += 1;
        return Response.json(hostile(await reply.json()), { status: reply.status });
      },
    });
    return { code, out, err, told };
  }

  it('gives a terminal and a log no command, and no line of its own, whatever the tool and the format', async () => {
    const wrong: Record<string, string> = {};
    const silent = new Set<string>();
    const asking = tools.filter(({ reach, name }) => reach === 'platform' || name in calls);
    for (const { name, formats } of asking)
      for (const format of formats)
        for (const log of ['', 'true']) {
          const args = (calls[name] ?? []).map((arg) => (arg === 'DEV' ? project.branch : arg));
          const { out, err, told } = await run({ GITHUB_ACTIONS: log }, name, ...args, '--format', format);
          if (told === 0) silent.add(name);
          // A text of someone else is inside of a line, where it cannot be taken for one of ours.
          // SQL has lines of its own.
          const lines = name === 'sql' && format === 'text' ? '' : '|^FORGED';
          const found = new RegExp(`[[\\p{Cc}\\p{Bidi_Control}]--[\\t\\n]]${lines}`, 'mv').exec(`${out}${err}`);
          const command = log === '' ? null : /^\s*::|##vso\[/m.exec(`${out}${err}`);
          const at = found ?? command;
          if (at) wrong[`${name} ${format} ${log}`] = at.input.slice(Math.max(0, at.index - 80), at.index + 40);
          if (format === 'json' && out !== '') JSON.parse(out);
        }
    expect(wrong).toEqual({});
    expect([...silent]).toEqual([]);
    const shown = await Promise.all([run({}, 'status'), run({}, 'branches'), run({}, 'builds'), run({}, 'plan')]);
    for (const { out, err } of shown) expect(`${out}${err}`).toContain('FORGED');
  });
});
