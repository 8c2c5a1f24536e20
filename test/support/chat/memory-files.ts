import type { ChatFiles } from '#chat-core/ports.ts';

/** Files in memory. */
export class MemoryFiles implements ChatFiles {
  readonly content: Map<string, string>;

  constructor(content = new Map<string, string>()) {
    this.content = content;
  }

  read(name: string): Promise<string | undefined> {
    return Promise.resolve(this.content.get(name));
  }

  append(name: string, text: string): Promise<void> {
    this.content.set(name, (this.content.get(name) ?? '') + text);
    return Promise.resolve();
  }

  replace(name: string, text: string): Promise<void> {
    this.content.set(name, text);
    return Promise.resolve();
  }

  names(): Promise<readonly string[]> {
    return Promise.resolve([...this.content.keys()]);
  }

  remove(name: string): Promise<void> {
    this.content.delete(name);
    return Promise.resolve();
  }
}
