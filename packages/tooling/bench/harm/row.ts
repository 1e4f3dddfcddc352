/** One harm that one caller, file or disk could do to the others: quiet and attacked, measured in one run. */
export interface HarmRow {
  readonly name: string
  /** What is done to the service, in a sentence. */
  readonly harm: string
  /** Answers its lines: each figure with its quiet side, its attacked side and their ratio. */
  run(): Promise<readonly HarmFigure[]>
}

export interface HarmFigure {
  readonly what: string
  readonly unit: string
  readonly quiet: number
  readonly attacked: number
}
