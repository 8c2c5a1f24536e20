import { describe, expect, it } from 'vitest';
import { askCredential } from '#features/data/vscode/ask-credential.ts';
import { chooseTarget } from '#features/data/vscode/choose-target.ts';
import { User } from '../../../../vscode/user.ts';
import { err, ok } from '#base/result.ts';
import { signedJwt } from '#features/data/jwt.ts';
import type { Queries } from '#features/data/queries.ts';
import type { QueryTarget } from '#features/data/query-service.ts';
import { QueryTargets } from '#features/data/query-targets.ts';
import { MemoryState } from '#support/memory-state.ts';
import { type Answer, escape, pick, type } from '../../../../vscode/answers.ts';

/** What is said to a user who answers like this. */
async function said(work: () => Promise<unknown>, ...answers: readonly Answer[]): Promise<string> {
  const user = new User();
  try {
    return await user.answering(work, ...answers);
  } finally {
    user.leave();
  }
}

describe('the form for a secret or a token', () => {
  const question = { source: 'Shop · main', host: 'data.example', reason: 'nothing' } as const;
  const check = (typed: string): Promise<string | undefined> =>
    Promise.resolve(typed === 'wrong' ? 'The server refused it.' : undefined);

  it('stays open with what is wrong until the user closes it', async () => {
    const checked: string[] = [];
    const ask = (): Promise<void> => askCredential(question, (typed) => (checked.push(typed), check(typed)));
    expect(await said(ask, type(''), type('  '), type('wrong'), escape)).toBe(
      'Enter the API secret or a token.\nEnter the API secret or a token.\nThe server refused it.',
    );
    expect(checked).toEqual(['wrong']);
  });

  it('shows when an accepted token expires, and nothing after a secret', async () => {
    const token = await signedJwt('secret', {}, { now: Date.UTC(2026, 5, 1), lifetimeMs: 60_000 });
    expect(await said(() => askCredential(question, check), type(token))).toMatch(/^The token is valid until .*2026/);
    expect(await said(() => askCredential(question, check), type('secret'))).toBe('');
  });
});

describe('the choice of where queries run', () => {
  const far: QueryTarget = { kind: 'cubeCore', restUrl: 'https://cube.example.com/cubejs-api/v1' };

  function open(answers: (restUrl: string) => boolean) {
    const choices = new QueryTargets({
      user: new MemoryState(),
      window: new MemoryState(),
      environments: () => Promise.resolve([]),
      answers: (restUrl) => Promise.resolve(answers(restUrl)),
    });
    const queries = {
      choices,
      find: (restUrl: string) =>
        Promise.resolve(answers(restUrl) ? ok(restUrl) : err(`Nothing answers at ${restUrl}.`)),
      nameOf: () => Promise.resolve('the chosen server'),
    } as unknown as Queries;
    return { choices, choose: () => chooseTarget(queries) };
  }

  it('offers the server on this machine where it answers, and goes back to the branch', async () => {
    const { choices, choose } = open((restUrl) => restUrl.includes('localhost:4000'));
    expect(await said(choose, pick('Cube Core at localhost:4000'))).toBe('Queries now run on the chosen server.');
    expect(choices.chosen('')).toMatchObject({ kind: 'cubeCore' });
    expect(await said(choose, pick('Environment of the Branch'))).toBe(
      'Queries now run on the environment of the branch.',
    );
    expect(choices.chosen('')).toBeUndefined();
  });

  it('takes the address of a server that answers, and names what is wrong with others', async () => {
    const { choices, choose } = open((restUrl) => restUrl === far.restUrl);
    const wrong = ['', 'two words', 'http://cube.example.com', 'https://ada:secret@cube.example.com', 'localhost:1'];
    const problems = await said(
      choose,
      pick('Add Cube Core Server…'),
      ...wrong.map((typed) => type(typed)),
      type('cube.example.com'),
    );
    expect(problems.split('\n')).toEqual([
      'Enter an address such as http://localhost:4000 or https://cube.example.com.',
      'Enter an address such as http://localhost:4000 or https://cube.example.com.',
      'Plain http:// works only for a server on this machine. Use https://.',
      'Remove the user name and password from the address.',
      'Nothing answers at http://localhost:1/cubejs-api/v1.',
      'Queries now run on the chosen server.',
    ]);
    expect(choices.chosen('')).toEqual(far);
  });

  it('stays as it is when the user closes it', async () => {
    const { choices, choose } = open(() => true);
    await said(choose, pick('Add Cube Core Server…'), type('two words'), escape);
    await said(choose, escape);
    expect(choices.chosen('')).toBeUndefined();
  });
});
