import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Disposable } from '#base/disposable.ts';
import type { CommandArea, TargetOf } from '#shell/commands/command.ts';
import { type CommandId, type Commands, commands } from '#shell/commands/commands.ts';
import type { DocumentTarget } from '#shell/targets.ts';
import type { ErrorBoundary } from './error-boundary.ts';
import { registerCommand } from '#shell/vscode/guarded/commands.ts';
import { scmArguments } from './menu-arguments.ts';
import { TreeElement } from './model-tree.ts';

/** Handles a command: takes its target, and all selected rows if it was called from a tree; asks if it gets neither. */
export type Handler<Target = never> = (target?: Target, selection?: readonly Target[]) => unknown;

/** Returns all selected rows, or else the row that the command was called on. */
export function selectedRows<Target>(target: Target | undefined, selection: readonly Target[] = []): readonly Target[] {
  if (selection.length > 0) return selection;
  return target === undefined ? [] : [target];
}

/** A handler for each command of an area; together they must cover `Commands`. */
export type Handlers<Area = Commands> = { readonly [Id in keyof Area]: Handler<TargetOf<Area[Id]>> };

/** Forwards each command to the bundle that implements it; the first command loads the bundle. */
export function handOver<Area extends CommandArea>(
  area: Area,
  open: () => Promise<{ readonly commands: Handlers<Area> }>,
): Handlers<Area> {
  const hand =
    (id: keyof Area): Handler<TargetOf<Area[keyof Area]>> =>
    async (target, selection) =>
      (await open()).commands[id](target, selection);
  return Object.fromEntries((Object.keys(area) as (keyof Area)[]).map((id) => [id, hand(id)])) as Handlers<Area>;
}

/** Registers every handler behind the error boundary. Arguments arrive unchecked from menus, links and other extensions. */
export function registerCommands(handlers: Handlers, boundary: ErrorBoundary, add: (item: Disposable) => void): void {
  for (const id of Object.keys(commands) as CommandId[]) add(register(id, handlers[id] as Handler<unknown>, boundary));
}

function register(id: CommandId, handler: Handler<unknown>, boundary: ErrorBoundary): Disposable {
  const { read } = commands[id];
  const run = async (...args: readonly unknown[]): Promise<unknown> => {
    const [argument, selection] = scmArguments(args) ?? [args[0], args[1]];
    const rows: readonly unknown[] = Array.isArray(selection) ? selection : [];
    try {
      return await handler(
        read(plain(argument)),
        rows.flatMap((row) => read(plain(row)) ?? []),
      );
    } catch (error) {
      // Not awaited: a command ends with its work, not when its message is closed.
      void boundary(id, error, async () => run(...args));
      return undefined;
    }
  };
  return registerCommand(id, run);
}

/**
 * Converts menu arguments to targets: menus of trees pass the view's element, which contains the node; menus of editors pass the
 * document's URI.
 */
function plain(argument: unknown): unknown {
  if (argument instanceof TreeElement) return argument.node;
  return argument instanceof vscode.Uri ? ({ uri: argument.toString() } satisfies DocumentTarget) : argument;
}
