import fc from 'fast-check';

/** The variable that has the seed of all properties. */
export const propertySeed = 'MODELBENCH_PROPERTY_SEED';

// Runs before each test file. `npm test` tries the same cases each time, so it never fails for a change that did nothing wrong;
// `npm run test:properties` tries others.
fc.configureGlobal({ seed: Number(process.env[propertySeed] ?? 1) });
