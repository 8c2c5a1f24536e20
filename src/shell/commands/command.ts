/**
 * What a command may do. `changes`: it changes the platform or writes files of the folder. `runs`: it runs the model. Both need a
 * trusted workspace. `reads`: it only reads (a document that it opens may be saved or sent later, which is checked then), or it
 * only affects the user's own sign-ins and views.
 */
export type CommandEffect = 'changes' | 'runs' | 'reads';

/** Parses the target that a menu, a link, a key binding or another extension passes; returns `undefined` for anything else. */
export type ReadTarget<Target> = (argument: unknown) => Target | undefined;

/** A command: its effect and how its target is read. The palette passes no target, so the command asks for one. */
export interface CommandSpec<Target = unknown> {
  readonly effect: CommandEffect;
  readonly read: ReadTarget<Target>;
}

/** The commands of one area, by id. */
export type CommandArea = Readonly<Record<`modelbench.${string}`, CommandSpec>>;

/** The target type of a command; `never` if callers cannot pass a target. */
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
