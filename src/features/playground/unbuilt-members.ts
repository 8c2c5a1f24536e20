import { unbuiltMembers } from './members.ts';
import type { PlaygroundMember } from './messages.ts';
import type { PlaygroundPorts } from './ports.ts';

/**
 * Shows the members that are written, but not in the model where queries run (`built`), once the language server has read the
 * model: nothing else waits for it. `isCurrent`: whether the playground still queries that model.
 */
export async function showUnbuilt(
  { advice, post }: Pick<PlaygroundPorts, 'advice' | 'post'>,
  built: readonly PlaygroundMember[],
  isCurrent: () => boolean,
): Promise<void> {
  const written = await advice.members().catch(() => []);
  if (isCurrent()) post({ type: 'unbuilt', members: [...unbuiltMembers(written, built)] });
}
