import type { CommandId } from '#shell/commands/commands.ts';
import { type Answer, escape, pick, type } from './answers.ts';

/** A request of a command of the Administration view that the platform refuses; documents are tried without VS Code. */
export interface AdminRefusal {
  readonly operation: string;
  readonly command: CommandId;
  readonly on: 'integration' | 'group' | 'account';
  readonly answers: readonly Answer[];
  /** What is said of an object that is not there, where that is not a refusal. */
  readonly missing?: RegExp;
}

const connect = { command: 'modelbench.administration.connect', on: 'integration' } as const;
const add = { command: 'modelbench.administration.addMembers', on: 'group' } as const;
const open = { command: 'modelbench.administration.openGroup', on: 'account' } as const;

/** `{group}` stands for the id of a group that there is. */
export const adminRefusals: readonly AdminRefusal[] = [
  { ...connect, operation: 'initiateUserOauthToken', answers: [] },
  { ...add, operation: 'addEmbedTenantGroupUsers', answers: [pick('ida')] },
  {
    ...open,
    operation: 'getEmbedTenantGroup',
    answers: [type('{group}'), escape],
    missing: /has no group with the id/,
  },
];
