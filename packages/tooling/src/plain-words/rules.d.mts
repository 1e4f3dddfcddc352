export interface Fault {
  readonly found: string
  readonly message: string
}

/** Returns the faults of a comment's text. */
export function faultsOfComment(text: string): Fault[]

/** Returns the faults of a paragraph's text. */
export function faultsOfProse(text: string): Fault[]
