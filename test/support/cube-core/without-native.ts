import { registerHooks } from 'node:module';

/**
 * Lets Cube Core start where its native library cannot be downloaded: without its logger, its SQL interface and templates. A
 * server up to 0.35 needs the library for nothing else, and runs queries of models without templates. Later ones also convert
 * rows in it, so they only validate tokens.
 */
const absent = `
exports.setupLogger = () => undefined;
exports.registerInterface = () => Promise.resolve({});
exports.NativeInstance.prototype.newJinjaEngine = () => ({});
`;

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/@cubejs-backend/native/dist/js/index.js') || loaded.source === undefined) return loaded;
    const source =
      typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source ?? undefined);
    return { ...loaded, source: `${source}\n${absent}` };
  },
});
