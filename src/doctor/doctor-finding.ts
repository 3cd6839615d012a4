/** One line of `pinhole doctor`: what was checked, the result, and what to do about it. */
export interface Finding {
  readonly check: 'node' | 'data' | 'process' | 'indexes' | 'clients' | 'servers' | 'logs' | 'retention';
  readonly state: 'ok' | 'warn' | 'fail';
  readonly text: string;
  readonly fix?: string;
}

/** Whether Pinhole works; warnings do not matter. */
export function isHealthy(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state !== 'fail');
}
