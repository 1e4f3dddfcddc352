/** "3 launches". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** "arena: what is so. What to do." */
export const sentenceOf = (subject: string, what: string, advice: string): string =>
  `${subject}: ${what.replace(/[.\s]+$/, '')}. ${advice}`
