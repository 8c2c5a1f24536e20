import { expect, it } from 'vitest';
import { typeEmbedTenant } from '#features/platform/vscode/type-embed-tenant.ts';
import { User } from '../../../../vscode/user.ts';
import type { Answer } from '../../../../vscode/user.ts';
import { escape, type } from '../../../../vscode/answers.ts';

/** The name that comes of these answers, and what was said meanwhile. */
async function typed(...answers: readonly Answer[]): Promise<{ readonly name: unknown; readonly said: string }> {
  const userState = new User();
  let name: unknown;
  const said = await userState.answering(async () => (name = await typeEmbedTenant()), ...answers);
  userState.leave();
  return { name, said };
}

it('takes the name of an embed tenant without the space around it', async () => {
  expect(await typed(type(' acme '))).toEqual({ name: 'acme', said: '' });
});

it.each(['', '  '])('asks again after “%s”, and continues with nothing when it is closed', async (wrong) => {
  const { name, said } = await typed(type(wrong), escape);
  expect(name).toBeUndefined();
  expect(said).toContain('Enter a name.');
});
