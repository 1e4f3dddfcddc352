/** Returns the text of a problem: "arena: the problem. The advice." */
export const sentenceOf = (subject: string, what: string, advice: string): string =>
  `${subject}: ${what.replace(/(?<![.\s])[.\s]+$/, '')}. ${advice}`
