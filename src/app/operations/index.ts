import { allow } from './allow.ts';
import { audit } from './audit.ts';
import { fileView } from './file-view.ts';
import { health } from './health.ts';
import { stats } from './stats.ts';

/** The operations that belong to no subject. */
export const APP_OPERATIONS = [health, audit, stats, allow, fileView] as const;
