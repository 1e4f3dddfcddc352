/** Returns a time as objects contain it: ISO 8601 in whole seconds. */
export const timeOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
