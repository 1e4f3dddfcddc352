/** One program of a run: command, arguments and environment. */
export interface Step {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/**
 * A long run: the sentence that describes it, its approximate duration in minutes, and the programs that it needs in
 * addition to an installed workspace.
 */
export interface Run {
  readonly says: string
  readonly minutes: number
  readonly needs?: string
  readonly steps: readonly Step[]
}

export function listed(register: Readonly<Record<string, Run>>): string[]
