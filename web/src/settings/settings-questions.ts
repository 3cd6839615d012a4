export const CODE_INDEXES_INPUT = { limit: 50 } as const;
