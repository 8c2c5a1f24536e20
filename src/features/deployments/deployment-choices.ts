import { textOf, type UserText } from '#base/user-text.ts';

type Labels = Readonly<Record<string, string>>;

export const providerLabels: Labels = {
  cubecloud: 'the platform’s own',
  aws: 'Amazon Web Services',
  azure: 'Microsoft Azure',
  gcp: 'Google Cloud',
};
export const methodLabels: Labels = {
  upload: 'files that are uploaded',
  cubecloud: 'a new model, stored on the platform',
  github: 'a repository on GitHub, which you choose next',
  ssh: 'a Git repository that is reached over SSH',
};
export const modeLabels: Labels = { git: 'the current state of its deploy branch', cli: 'the last upload' };

/** Returns the values of a field under their platform names, each with its meaning if that is known. */
export const named = <const T extends string>(
  values: readonly T[],
  labels: Labels,
): readonly { label: UserText; description: UserText; id: T }[] =>
  values.map((id) => ({ label: textOf(id), description: textOf(labels[id] ?? ''), id }));
