import type { TinyProject } from './tiny-project.ts';
import { yaml } from './language/raw.ts';

export const A = 'model/cubes/a.yml';
export const C = 'model/cubes/c.yml';
export const N = 'model/cubes/n.yml';

/** A version of a file: those of two sides that both differ from the agreed one fit together. */
export const text = (title: string, description = 'agreed', name = 'a'): string => yaml`
  cubes:
    - name: ${name}
      title: ${title}
      sql_table: a
      public: true
      shown: true
      description: ${description}
`;
export const mine = text('mine');
export const theirs = text('agreed', 'theirs');

/** A command that changes something, with what it finds. */
export interface Operation {
  readonly name: string;
  readonly before: (project: TinyProject) => void;
  /** The command that shows its plan, whose id replaces `PLAN`. */
  readonly show: string;
  readonly args: readonly string[];
}

export const conflict = (project: TinyProject): void => {
  project.write(A, mine);
  project.tenant.change(A, theirs);
};
export const operations: readonly Operation[] = [
  {
    name: 'push',
    show: 'push',
    args: ['push', '--yes', '--plan', 'PLAN'],
    before: (project) => {
      project.write(A, mine);
      project.write(N, mine);
      project.remove(C);
    },
  },
  {
    name: 'pull',
    show: 'pull',
    args: ['pull', '--yes', '--plan', 'PLAN'],
    before: ({ tenant }) => {
      tenant.change(A, theirs);
      tenant.change(N, theirs);
      tenant.change(C, undefined);
    },
  },
  { name: 'merge', show: 'resolve', args: ['resolve', '--yes', '--plan', 'PLAN'], before: conflict },
  {
    name: 'take mine',
    show: 'resolve',
    args: ['resolve', '--take', 'mine', '--yes', '--plan', 'PLAN'],
    before: conflict,
  },
  {
    name: 'take theirs',
    show: 'resolve',
    args: ['resolve', '--take', 'theirs', '--yes', '--plan', 'PLAN'],
    before: conflict,
  },
  { name: 'write and push', show: 'plan', args: ['write', A, '--content', mine, '--push'], before: () => {} },
];

/** The arguments of an operation, with the plan that was shown. */
export async function shownArguments(
  { before, show, args }: Operation,
  project: TinyProject,
): Promise<readonly string[]> {
  before(project);
  const { plan } = await project.json(show);
  return args.map((arg) => (arg === 'PLAN' ? String(plan) : arg));
}
