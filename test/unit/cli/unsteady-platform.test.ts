import { describe, expect, it } from 'vitest';
import { yaml } from '#support/language/raw.ts';
import { TinyProject } from '#support/tiny-project.ts';

const names = ['a', 'b'].map((name) => `model/cubes/${name}.yml`);
const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
      sql_table: ${name}
`;
const page = '<html><h1>Service Unavailable</h1></html>';
const html = { 'content-type': 'text/html' };

interface Disturbance {
  readonly instead: () => Response;
  /** Whether the platform does what it was asked for all the same. */
  readonly isAfter: boolean;
}

const before = (instead: () => Response): Disturbance => ({ instead, isAfter: false });
const after = (instead: () => Response): Disturbance => ({ instead, isAfter: true });
const expired = (): Response => Response.json({ error: 'The key has expired.' }, { status: 401 });
const unavailable = (): Response => new Response(page, { status: 503, headers: html });
const busy = (): Response => Response.json({ error: 'Too many requests.' }, { status: 429 });
const signIn = (): Response => new Response(page, { headers: html });

/** What the platform answers once. That it answers 2xx in JSON means that it has done what it was asked for. */
const disturbances: Readonly<Record<string, Disturbance>> = {
  'a 401': before(expired),
  'a 503 with a page': before(unavailable),
  'a 503 with a page after the effect': after(unavailable),
  'a 429 without Retry-After': before(busy),
  'a page in place of JSON': before(signIn),
  'a page in place of JSON after the effect': after(signIn),
  'half of a JSON text': after(() => new Response('{"data": [', { headers: { 'content-type': 'application/json' } })),
  'a JSON text of another shape': after(() => Response.json([[[null]]])),
};

interface Ended {
  readonly code: number;
  readonly text: string;
  readonly requests: number;
}

/** Runs a command whose request of this number gets another answer: instead of its effect, or after it. */
async function disturbed(
  project: TinyProject,
  { at, instead, isAfter }: Disturbance & { readonly at: number },
  ...args: string[]
): Promise<Ended> {
  project.serve = async ({ number }, answer) => {
    if (number !== at) return answer();
    if (isAfter) await answer();
    return instead();
  };
  const { code, out, err, requests } = await project.run(...args);
  project.serve = async (_, answer) => answer();
  return { code, text: `${out}${err}`, requests: requests.length };
}

const internal = /TypeError|SyntaxError|Unexpected token|undefined|<html>|\n\s+at /;

describe.each(Object.entries(disturbances))('a command in the middle of which comes %s', (_, disturbance) => {
  it('loses nothing, says so in plain words, and the next one finishes', async () => {
    // What the platform does besides is shown with the local one; here it only stores files.
    using project = new TinyProject({}, { honours: true, attempts: 1 });
    await project.run('pull', '--yes');
    const other = await linkAgain(project);
    const here = (folder = '.') => names.map((name) => project.read(`${folder}/${name}`));
    const there = () => names.map((name) => project.tenant.of('dev-a').get(name));
    for (let at = 1, isOver = false; !isOver; at++) {
      const text = cube(`n${at}`);
      const all = names.map(() => text);
      for (const name of names) project.write(name, text);
      const push = await disturbed(project, { at, ...disturbance }, 'push', '--yes');
      expect(push.text.trim()).not.toBe('');
      expect(here()).toEqual(all);
      const isThere = there().every((each) => each === text);
      expect(push.code !== 0 || isThere).toBe(true);
      expect((await project.run('push', '--yes')).code).toBe(0);
      expect(there()).toEqual(all);
      const pull = await disturbed(project, { at, ...disturbance }, 'pull', '--yes', ...other.args);
      expect(`${push.text}${pull.text}`).not.toMatch(internal);
      expect((await project.run('pull', '--yes', ...other.args)).code).toBe(0);
      expect(here(other.folder)).toEqual(all);
      isOver = push.requests < at && pull.requests < at;
    }
  });
});

/** Links another folder of the project to the same branch, as a second clone. */
async function linkAgain(project: TinyProject) {
  const folder = 'other';
  project.write(`${folder}/modelbench.json`, project.read('modelbench.json') ?? '');
  const args = ['--folder', folder];
  expect((await project.run('pull', '--yes', ...args)).code).toBe(0);
  return { folder, args };
}
