/** Returns a time in the form that objects contain: ISO 8601 in whole seconds. */
export const timeOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
