import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { asError } from '#base/async.ts';
import { DisposableStore } from '#base/disposable.ts';
import { compose } from '#compose/compose.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { contributions } from '#compose/contributions.ts';
import type { Services } from '#compose/composed.ts';

/** Creates the services and registers every contribution; a failure is reported, and the others still work. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const services = compose(context, store);
  const started = performance.now();
  await Promise.all(contributions(services).map(async (contribution) => register(contribution, services, store)));
  services.window.logger.info('Ready', { milliseconds: Math.round(performance.now() - started) });
}

async function register(contribution: Contribution, services: Services, store: DisposableStore): Promise<void> {
  const own = store.add(new DisposableStore());
  try {
    await contribution.register(own);
  } catch (error) {
    services.window.logger.error(`“${contribution.id}” could not start`, { stack: asError(error).stack });
    void vscode.window.showErrorMessage(
      text`Part of Modelbench (“${contribution.id}”) could not start: ${asError(error).message}`,
    );
  }
}
