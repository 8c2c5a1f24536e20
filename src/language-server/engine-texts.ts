import type { ModelFile } from '#model/file.ts';
import type { EngineFile } from './engine/messages.ts';

/** Files as the engine takes them: their names are relative to the model's root (a URI). */
export function engineFiles(root: string, files: Iterable<ModelFile>): readonly EngineFile[] {
  return [...files].map(({ path, text }) => ({
    fileName: decodeURIComponent(path.slice(root.length + 1)),
    content: text,
  }));
}

/** A message without the cube's name in front, which its position says, and without the listing that follows some messages. */
export function plainMessage(message: string): string {
  const [first = ''] = message.replace(/^\w+ (?:cube|view group): /, '').split(/\n(?:\n|-{5,}|>? *\d+ \|)/);
  return first.trim();
}
