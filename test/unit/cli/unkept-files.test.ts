import { describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';

/** Runs a command through a proxy that changes what is written to the platform. */
async function throughProxy(
  { environment, platform }: LinkedProject,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string }> {
  let out = '';
  const code = await runCommandLine(args, {
    ...environment,
    stdout: (text) => (out += text),
    stderr: () => undefined,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.method !== 'PUT') return platform.fetch(request);
      const headers = new Headers(request.headers);
      headers.delete('content-length');
      const body = (await request.text()).replaceAll(String.raw`\t`, '  ');
      const reply = await platform.fetch(new Request(request.url, { method: 'PUT', headers, body }));
      return new Response(null, { status: reply.status });
    },
  });
  return { code, out };
}

describe('a push through a proxy that changes what it sends', () => {
  it('names the file that the platform does not have as it was sent, and leaves it to push', async () => {
    const project = await linkProject();
    await project.run('pull', '--yes');
    project.write('model/cubes/öl & gas.yml', '# one\ttab\n');
    const { code, out } = await throughProxy(project, 'push', '--yes');
    expect(code).toBe(1);
    expect(out).toBe(
      [
        'model/cubes/öl & gas.yml: The platform confirmed the change, but lists another version. Someone else may have changed the file since, or the platform stores other bytes than it was sent.',
        'Pushed 0 files. 1 file failed: The platform confirmed the change, but lists another version. Someone else may have changed the file since, or the platform stores other bytes than it was sent.',
        '',
      ].join('\n'),
    );
    const { conflicts, changes } = await project.json('plan');
    expect(JSON.stringify([conflicts, changes])).toContain('öl & gas.yml');
    expect(project.read('model/cubes/öl & gas.yml')).toBe('# one\ttab\n');
  });
});
