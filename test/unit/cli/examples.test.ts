import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { demo } from '#platform/seed/names.ts';
import { yaml } from '#support/language/raw.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import type { Tool } from '#tools/tool.ts';
import { tools } from '#tools/tools.ts';
import { realEngine } from '#support/real-engine.ts';

const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
      sql_table: ${name}
      measures:
        - {name: amount, sql: amount, type: max}
`;

/**
 * Where an example goes to a branch that production is built from here, and to a shared one for its reader; and where it names a
 * file in conflict or a stored version, of which there is none here.
 */
const refused = new Set([
  'modelbench commit "Add refunds" --yes',
  'modelbench resolve model/orders.yml --take theirs --yes',
  'modelbench restore VERSION',
]);

/** The words of a command line for `modelbench`, as a shell reads them; what goes to a file is read here. */
function wordsOf(command: string): readonly string[] {
  const words = command.replace(/ > \S+$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g);
  return [...words].map(([, single, double, bare]) => single ?? double ?? bare ?? '').slice(1);
}

/** The same with the names of the sample in place of those that stand for the reader's own. */
function named(words: readonly string[], own: Readonly<Record<string, string>>): readonly string[] {
  return words.map((word) => own[word] ?? word);
}

const isDeploy = ({ name }: Tool): boolean => name === 'deploy';

/** A project with everything that examples name. */
async function project(deployment: number): Promise<LinkedProject> {
  const made = await linkProject({ deployment, ...(deployment === demo.shop ? { engine: realEngine() } : {}) });
  if (deployment === demo.shop) await made.run('pull', '--yes');
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: made.folder });
  made.write('shop/model/a.yml', cube('a'));
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  made.write('model/refunds.yml', cube('refunds').replace('max', 'count'));
  made.write('model/old.yml', cube('old'));
  made.write(
    'queries/orders.query.yml',
    yaml`
      query: {measures: [orders.count]}
      tests:
        - {name: There is one row, rowCount: {min: 1}}
    `,
  );
  return made;
}

describe('the examples of the help', () => {
  it('run as they are written', async () => {
    const made = await project(demo.shop);
    const own: Record<string, string> = {
      ...{ 'orders.average': 'orders.count', 'orders.total': 'orders.count', '12': String(demo.shop) },
      ...{ returns: demo.sharedBranch, 'model/orders.yml': 'model/refunds.yml', Shop: 'Shop analytics' },
    };
    const ended: unknown[] = [];
    const examples = tools.filter((tool) => !isDeploy(tool)).flatMap((tool) => tool.examples);
    for (const { command } of examples) {
      if (command.startsWith('modelbench push --plan')) own['1f0c2a9be433'] = String((await made.json('push'))['plan']);
      const { code, out, err } = await made.run(...named(wordsOf(command), own));
      own['TOKEN'] = /modelbench undo (\S+)/.exec(out)?.[1] ?? own['TOKEN'] ?? '';
      if (code !== (refused.has(command) ? 2 : 0)) ended.push({ command, code, out: out.slice(0, 300), err });
    }
    expect(ended).toEqual([]);
    expect(examples.length).toBeGreaterThan(40);
  });

  it('of a deploy run for a deployment that is built from uploads', async () => {
    const made = await project(demo.cli);
    const planned = await made.json('deploy');
    const own = { '1f0c2a9be433': String(planned['plan']), Shop: String(planned['confirm']) };
    for (const { command } of tools.find(isDeploy)?.examples ?? [])
      expect({ command, ...(await made.run(...named(wordsOf(command), own))) }).toMatchObject({
        command,
        code: 0,
        err: '',
      });
  });
});
