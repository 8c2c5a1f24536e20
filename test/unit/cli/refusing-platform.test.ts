import { describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { tools } from '#tools/tools.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly requests: number;
}

/** Runs a command against a platform that gives the same answer to everything. */
async function answered(reply: () => Response | Error, ...args: readonly string[]): Promise<Ended> {
  return answeredIn(await linkProject(), reply, ...args);
}

async function answeredIn(
  { environment }: LinkedProject,
  reply: () => Response | Error,
  ...args: readonly string[]
): Promise<Ended> {
  let [out, err, requests] = ['', '', 0];
  const code = await runCommandLine(args, {
    ...environment,
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    fetch: async () => {
      requests += 1;
      const answer = reply();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
  return { code, out, err, requests };
}

const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json({ error: { message } }, { status, headers });

describe('the command line and a platform that refuses', () => {
  it.each([
    ['401', () => refusal(401, 'expired')],
    ['403', () => refusal(403, 'no')],
    ['404 of a page', () => new Response('<html>', { status: 404, headers: { 'content-type': 'text/html' } })],
    ['407 of a proxy', () => refusal(407, 'proxy')],
    ['429 for an hour', () => refusal(429, 'slow down', { 'retry-after': '3600' })],
    ['503 for an hour', () => refusal(503, 'maintenance', { 'retry-after': '3600' })],
    ['no JSON', () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } })],
    ['another shape', () => Response.json({ data: 'x\u001B[2J' })],
    ['a control character', () => refusal(422, 'x\u001B[2J\u202e')],
  ])('ends with 3 and one line on stderr: %s', async (_, reply) => {
    for (const command of ['status', 'plan', 'push']) {
      const { code, out, err } = await answered(reply, command, ...(command === 'push' ? ['--yes'] : []));
      expect({ command, code, out }).toEqual({ command, code: 3, out: '' });
      expect(err).toMatch(/^modelbench: [^\p{Cc}\p{Bidi_Control}]+\n$/u);
      expect(err).not.toContain('demo-key');
    }
  });

  it('ends with 3 and one line, whatever the command, and changes nothing here', async () => {
    const project = await linkProject();
    const query = '{"measures":["orders.count"]}';
    const given: Readonly<Record<string, readonly string[]>> = {
      ...{ query: [query], sql: [query], merge: ['x'], commit: ['x', '--yes'], diff: ['--branch', 'main'] },
      ...{ push: ['--yes'], pull: ['--yes'], deploy: ['--yes'], impact: ['orders', '--workspace'] },
      write: ['model/a.yml', '--remove', '--push'],
    };
    const cube = 'cubes: [{name: orders, sql_table: t}]\n';
    project.write('model/a.yml', cube);
    project.write('queries/a.query.yml', 'query: {measures: [orders.count]}\ntests: [{name: a, rowCount: 1}]\n');
    const asking = tools.filter(({ name, reach }) => reach === 'platform' || name in given);
    for (const { name } of asking) {
      const args = [name, ...(given[name] ?? [])];
      const { code, out, err, requests } = await answeredIn(project, () => refusal(403, 'no'), ...args);
      expect({ name, code, out, isAsked: requests > 0 }).toEqual({ name, code: 3, out: '', isAsked: true });
      expect([name, err]).toEqual([name, expect.stringMatching(/^modelbench: [^\n]+\n$/) as string]);
    }
    expect(asking.length).toBeGreaterThan(14);
    expect(project.read('model/a.yml')).toBe(cube);
  });
});
