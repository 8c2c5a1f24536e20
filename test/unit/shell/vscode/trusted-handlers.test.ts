import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Store } from '#base/store.ts';
import { type CommandId, commands } from '#shell/commands/commands.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { trustedHandlers } from '#compose/trusted-handlers.ts';

const ids = Object.keys(commands) as CommandId[];

/** All commands with handlers that only note that they ran. */
function window(isTrusted: boolean): { readonly handlers: Handlers; readonly ran: CommandId[] } {
  const ran: CommandId[] = [];
  const plain = Object.fromEntries(ids.map((id) => [id, () => ran.push(id)])) as unknown as Handlers;
  return { handlers: trustedHandlers(plain, { isTrusted: new Store(isTrusted) }), ran };
}

describe('commands in Restricted Mode', () => {
  it.each(ids.filter((id) => commands[id].effect !== 'reads'))('%s does nothing', (id) => {
    const { handlers, ran } = window(false);
    expect(() => handlers[id]()).toThrow('Restricted Mode');
    expect(ran).toEqual([]);
  });

  it('run when they only read, and all run in a trusted window', () => {
    const restricted = window(false);
    const reading = ids.filter((id) => commands[id].effect === 'reads');
    for (const id of reading) restricted.handlers[id]();
    expect(restricted.ran).toEqual(reading);
    const trusted = window(true);
    for (const id of ids) trusted.handlers[id]();
    expect(trusted.ran).toEqual(ids);
  });

  it('need trust exactly where the manifest says so, so that none is offered that would be refused', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly contributes: {
        readonly commands: readonly { readonly command: CommandId; readonly enablement?: string }[];
      };
    };
    const greyed = contributes.commands.filter(({ enablement }) => enablement?.includes('isWorkspaceTrusted') === true);
    const trusting = contributes.commands.filter(({ command }) => commands[command].effect !== 'reads');
    expect(greyed.length).toBeGreaterThan(30);
    expect(greyed.map(({ command }) => command)).toEqual(trusting.map(({ command }) => command));
    expect(contributes.commands.map(({ command }) => command).filter((id) => !(id in commands))).toEqual([]);
  });
});
