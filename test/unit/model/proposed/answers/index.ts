import { changedMembers } from './changed-members.ts';
import { cubesAndViews } from './cubes-and-views.ts';
import type { Answer } from './kit.ts';
import { members } from './members.ts';
import { scriptsAndNewFiles } from './scripts-and-new-files.ts';
import { wholeFiles } from './whole-files.ts';

/** What agents write every day, and what it must come to. */
export const answers: readonly Answer[] = [
  ...members,
  ...changedMembers,
  ...wholeFiles,
  ...cubesAndViews,
  ...scriptsAndNewFiles,
];
