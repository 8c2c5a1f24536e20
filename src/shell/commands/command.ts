/**
 * What a command may do. `changes`: it changes something on the platform or writes files of the folder; `runs`: it runs the
 * model. Both need a trusted workspace. `reads`: it only reads (what it opens may be saved or sent later, which is checked
 * then), or it only concerns the user's own sign-ins and views.
 */
export type CommandEffect = 'changes' | 'runs' | 'reads';

/** Reads what a menu, a link, a key binding or another extension passes; `undefined` where it is nothing to act on. */
export type ReadTarget<Target> = (argument: unknown) => Target | undefined;

/** One command: what it may do, and what it acts on. Called from the palette it gets nothing and asks. */
export interface CommandSpec<Target = unknown> {
  readonly effect: CommandEffect;
  readonly read: ReadTarget<Target>;
}

/** Commands of one area, by id. */
export type CommandArea = Readonly<Record<`modelbench.${string}`, CommandSpec>>;

/** What a command acts on; `never` where it acts on nothing that a caller could name. */
export type TargetOf<Spec> = Spec extends CommandSpec<infer Target> ? Target : never;

interface Spec {
  (): CommandSpec<never>;
  <Target>(read: ReadTarget<Target>): CommandSpec<Target>;
}

function specOf(effect: CommandEffect): Spec {
  function spec(): CommandSpec<never>;
  function spec<Target>(read: ReadTarget<Target>): CommandSpec<Target>;
  function spec<Target>(read: ReadTarget<Target> = () => undefined): CommandSpec<Target> {
    return { effect, read };
  }
  return spec;
}

export const changes: Spec = specOf('changes');
export const runs: Spec = specOf('runs');
export const reads: Spec = specOf('reads');
