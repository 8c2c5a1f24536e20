import { textOf, type UserText } from '#base/user-text.ts';

export const providerWords = { cubecloud: 'the platform’s own', aws: 'Amazon Web Services', gcp: 'Google Cloud' };
export const methodWords = {
  upload: 'files that are uploaded',
  cubecloud: 'a new model, kept on the platform',
  github: 'a repository on GitHub, chosen next',
  ssh: 'a Git repository that is reached over SSH',
};
export const modeWords = { git: 'what its deploy branch holds', cli: 'what was uploaded last' };

/** The values of a field as the platform’s API and pages name them, with what they mean. */
export const named = <const T extends string>(
  values: readonly T[],
  words: Readonly<Record<T, string>>,
): readonly { label: UserText; description: UserText; id: T }[] =>
  values.map((id) => ({ label: textOf(id), description: textOf(words[id]), id }));
