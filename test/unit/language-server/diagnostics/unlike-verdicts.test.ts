import { describe, expect, it } from 'vitest';
import {
  type LanguageStatus,
  languageStatus,
  type PlatformVerdict,
  validateOnPlatform,
} from '#features/language/messages.ts';
import { FakeEngine, started } from '#support/language/fake-engine.ts';

type Refusals = Extract<PlatformVerdict, { state: 'compiled' }>['errors'];

/** Saves a document in a session whose platform finds errors; resolves to what is shown then. */
async function shown(
  errors: Refusals,
): Promise<{ readonly messages: readonly string[]; readonly status: LanguageStatus }> {
  const session = await started(new FakeEngine());
  session.client.onRequest<PlatformVerdict, void>(validateOnPlatform, () => ({
    ...{ branch: 'dev-ann', version: '1.6.2', state: 'compiled' as const },
    errors,
  }));
  const status = new Promise<LanguageStatus>((resolve) => {
    session.client.onNotification(languageStatus, (found: LanguageStatus) => {
      if (found.platform !== undefined) resolve(found);
    });
  });
  const uri = await session.open('orders.yml');
  await session.diagnosticsOf(uri, 1);
  session.diagnostics.delete(uri);
  const diagnostics = session.diagnosticsOf(uri, 1);
  await session.client.sendNotification('textDocument/didSave', { textDocument: { uri } });
  const messages = (await diagnostics).map(
    ({ range, message }) => `${range.start.line} ${JSON.stringify(message).split('\\n')[0]?.slice(1) ?? ''}`,
  );
  const found = { messages, status: await status };
  session.dispose();
  return found;
}

describe('an unlike verdict of the platform', () => {
  it('marks the line that it names, in a file of another notation', async () => {
    const { messages } = await shown([{ message: 'Odd.', fileName: 'Orders.YML', line: 3 }]);
    expect(messages).toEqual(['2 Odd.']);
  });

  it('has ten thousand errors, of which some are shown and all are counted', async () => {
    const errors = Array.from({ length: 10_000 }, (_, at) => ({
      message: `missing_${at} is not defined`,
      ...(at % 3 === 0 ? {} : { fileName: at % 3 === 1 ? 'orders.yml' : `cubes/new_${at}.yml` }),
    }));
    const { messages, status } = await shown(errors);
    expect(status.platform).toEqual([
      { branch: 'dev-ann', version: '1.6.2', verdict: { state: 'refused', errors: 10_000 } },
    ]);
    expect(messages).toHaveLength(500);
    expect(new Set(messages).size).toBe(500);
  });
});
