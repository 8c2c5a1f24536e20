import type { ViewCube, ViewThread } from '#features/chat/messages.ts';

/** A cube, view or member that the agent found in the model. */
export type FoundName = ViewCube['members'][number];

/** Returns what the agent's searches in the thread found by this name; the latest search wins. */
export function foundName(thread: ViewThread, name: string): FoundName | undefined {
  for (const { messages } of thread.turns.toReversed()) {
    for (const { tool } of messages.toReversed()) {
      const cubes = tool?.detail.kind === 'meta' ? tool.detail.cubes : [];
      for (const cube of cubes) {
        if (cube.name === name) return cube;
        const member = cube.members.find((each) => each.name === name);
        if (member) return member;
      }
    }
  }
  return undefined;
}
