import fc from 'fast-check';

/**
 * Every run of the suite tries the same cases, so that a red run means that something changed.
 * `npm run test:fuzz` tries others; a seed it reports is tried again with `PINHOLE_SEED=n npx vitest run FILE`.
 */
const asked = process.env.PINHOLE_SEED;
if (asked !== 'random')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked ?? 20_261_115) });
