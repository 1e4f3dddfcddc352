/**
 * One way in which a caller, a file or a disk could harm other users, measured without and with the harm in one run.
 */
export interface HarmRow {
  readonly name: string
  /** The harm, in one sentence. */
  readonly harm: string
  /** Returns the figures, each with its quiet and its attacked value. */
  run(): Promise<readonly HarmFigure[]>
}

export interface HarmFigure {
  readonly what: string
  readonly unit: string
  readonly quiet: number
  readonly attacked: number
}
