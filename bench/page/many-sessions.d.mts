/** Writes `count` sessions over a year, in eight projects, and one of `largeBytes`; returns the id of that one. */
export function writeSessions(claude: string, count: number, largeBytes: number, now?: number): string;
