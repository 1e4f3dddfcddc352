/** The document that defines a rule: the specification or the contract. */
export type Law = 'specification' | 'contract'

export interface Rule {
  readonly law: Law
  readonly section: string
  /** The rule in one sentence. */
  readonly text: string
  /** The test outside this suite that proves the rule, in the form `packages/…/x.test.ts › title`. */
  readonly provedBy?: string
}

type Rows = Readonly<Record<string, string | { readonly text: string; readonly provedBy: string }>>

/** Returns the rules of one section of a document, by rule id. */
export function section<R extends Rows>(law: Law, name: string, rows: R): { readonly [Id in keyof R]: Rule } {
  const rules = Object.entries(rows).map(([id, row]) => [
    id,
    { law, section: name, ...(typeof row === 'string' ? { text: row } : row) },
  ])
  return Object.fromEntries(rules) as { readonly [Id in keyof R]: Rule }
}

/** Returns a rule that a test outside this suite proves, because the test needs real processes or real time. */
export const elsewhere = (text: string, provedBy: string) => ({ text, provedBy })
