import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { typeEmbedTenant as TypeEmbedTenant } from '#features/platform/vscode/type-embed-tenant.ts';
import type { Answer, User as People } from '../../../../vscode/user.ts';
import { escape, type } from '../../../../vscode/answers.ts';

vi.mock('vscode', () => import('#support/fake-vscode.ts'));

let typeEmbedTenant: typeof TypeEmbedTenant;
let User: typeof People;
beforeAll(async () => {
  vi.resetModules();
  ({ typeEmbedTenant } = await import('#features/platform/vscode/type-embed-tenant.ts'));
  ({ User } = await import('../../../../vscode/user.ts'));
});
afterAll(() => vi.resetModules());

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
