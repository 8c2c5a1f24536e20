import { registerHooks } from 'node:module';

/**
 * Lets Cube Core start where its native library cannot be downloaded: it then validates tokens, but compiles and runs nothing.
 */
const absent = 'exports.setupLogger = () => undefined; exports.registerInterface = () => Promise.resolve({});';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/@cubejs-backend/native/dist/js/index.js') || loaded.source === undefined) return loaded;
    const source =
      typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source ?? undefined);
    return { ...loaded, source: `${source}\n${absent}` };
  },
});
