/** What is wrong with the way the service was set up: each fault one line that says how to mend it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly faults: readonly string[]

  constructor(faults: string | readonly string[]) {
    const all = typeof faults === 'string' ? [faults] : faults
    super(all.join('\n'))
    this.faults = all
  }
}
