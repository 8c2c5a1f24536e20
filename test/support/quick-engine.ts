import type { Engine } from '#platform/engine/index.ts';

/** Returns a stand-in for the model compiler: a file that contains `BROKEN` does not compile. */
export function quickEngine(): Engine {
  return {
    compile: (files) => {
      const broken = files.find(({ content }) => content.includes('BROKEN'));
      if (broken === undefined)
        return Promise.resolve({ ok: true, cubes: files.length, views: 0, meta: [], compilerId: 'quick' });
      const message = `${broken.fileName}: is broken`;
      return Promise.resolve({ ok: false, errors: [{ message, fileName: broken.fileName }], errorText: message });
    },
    sql: () => Promise.resolve({ ok: false, type: 'Error', error: 'The quick engine generates no SQL.' }),
    close: () => Promise.resolve(),
  };
}
