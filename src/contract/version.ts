import packageJson from '../../package.json' with { type: 'json' };

export const VERSION: string = packageJson.version;

/** What npm calls the program, with its version: settings that name it never run anything else. */
export const PINNED_PACKAGE = `${packageJson.name}@${packageJson.version}`;
