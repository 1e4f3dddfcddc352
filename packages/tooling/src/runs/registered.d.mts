/** One program that a run consists of, by command and arguments. */
export interface Step {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A long run: what it proves or measures, its rough minutes, and what it needs beside an installed workspace. */
export interface Run {
  readonly says: string
  readonly minutes: number
  readonly needs?: string
  readonly steps: readonly Step[]
}

export function listed(register: Readonly<Record<string, Run>>): string[]
