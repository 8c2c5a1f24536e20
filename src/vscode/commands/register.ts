import * as vscode from '#vscode/guarded/vscode.ts';
import type { Disposable } from '#base/disposable.ts';
import type { CommandId, CommandSignatures } from '#protocol/commands.ts';
import type { ErrorBoundary } from '../error-boundary.ts';
import { scmArguments } from '../scm/menu-arguments.ts';
import { TreeElement } from '../views/model-tree.ts';

/** What runs for a command: arguments arrive unchecked (from menus, links, other extensions) and are parsed by it. */
export type Handler = (argument?: unknown, selection?: unknown) => unknown;

/** A handler for each of the named commands; all of them together must cover `CommandSignatures`. */
export type Handlers<Area = CommandSignatures> = { readonly [Id in keyof Area]: Handler };

/** The ids of an area, all of them: they are registered before the code behind them is loaded. */
export type CommandIds<Area> = { readonly [Id in keyof Area]: true };

/** Hands each command to the part of the extension that carries it out, which is opened by the first of them. */
export function handOver<Area>(
  ids: CommandIds<Area>,
  open: () => Promise<{ readonly commands: Handlers<Area> }>,
): Handlers<Area> {
  const hand =
    (id: keyof Area): Handler =>
    async (argument, selection) =>
      (await open()).commands[id](argument, selection);
  return Object.fromEntries((Object.keys(ids) as (keyof Area)[]).map((id) => [id, hand(id)])) as Handlers<Area>;
}

/** Registers every handler behind the error boundary. */
export function registerCommands(handlers: Handlers, boundary: ErrorBoundary, add: (item: Disposable) => void): void {
  for (const id of Object.keys(handlers) as CommandId[]) {
    const handler = handlers[id];
    const run = async (...args: readonly unknown[]): Promise<unknown> => {
      const [argument, selection] = scmArguments(args) ?? [unwrap(args[0]), unwrapAll(args[1])];
      try {
        return await handler(argument, selection);
      } catch (error) {
        // Not awaited: a command is over when its work is, not when its message is closed.
        void boundary(id, error, async () => run(...args));
        return undefined;
      }
    };
    add(vscode.commands.registerCommand(id, run));
  }
}

/** Menus of trees pass the view's element: what counts is its node. */
function unwrap(argument: unknown): unknown {
  return argument instanceof TreeElement ? argument.node : argument;
}

function unwrapAll(argument: unknown): unknown {
  return Array.isArray(argument) ? argument.map(unwrap) : undefined;
}
