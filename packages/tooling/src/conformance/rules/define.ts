/** The two documents that rules come from. */
export type Law = 'specification' | 'contract'

export interface Rule {
  readonly law: Law
  readonly section: string
  /** The rule in short. */
  readonly text: string
  /** Where a test outside this suite proves it: `packages/…/x.test.ts › title`. */
  readonly provedBy?: string
}

type Rows = Readonly<Record<string, string | { readonly text: string; readonly provedBy: string }>>

/** The rules of one section, by id. */
export function section<R extends Rows>(law: Law, name: string, rows: R): { readonly [Id in keyof R]: Rule } {
  const rules = Object.entries(rows).map(([id, row]) => [
    id,
    { law, section: name, ...(typeof row === 'string' ? { text: row } : row) },
  ])
  return Object.fromEntries(rules) as { readonly [Id in keyof R]: Rule }
}

/** A rule that a test elsewhere proves, with real processes or real time. */
export const elsewhere = (text: string, provedBy: string) => ({ text, provedBy })
