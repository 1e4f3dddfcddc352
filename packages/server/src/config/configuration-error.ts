/** Thrown for faults of the configuration. Each fault is one line that also says how to correct it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly faults: readonly string[]

  constructor(faults: string | readonly string[]) {
    const all = typeof faults === 'string' ? [faults] : faults
    super(all.join('\n'))
    this.faults = all
  }
}
