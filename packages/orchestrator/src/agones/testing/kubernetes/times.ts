/** Times are told in whole seconds. */
export const timeOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
