/** "arena: what is so. What to do." */
export const sentenceOf = (subject: string, what: string, advice: string): string =>
  `${subject}: ${what.replace(/(?<![.\s])[.\s]+$/, '')}. ${advice}`
