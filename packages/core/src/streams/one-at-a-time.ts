/** Work that is done by one at a time, and once more where somebody asks for it meanwhile. */
export abstract class OneAtATime {
  private running: Promise<void> | undefined
  private again = false

  /** Resolves when the work was done after this call. Throws what `once` throws. */
  run(): Promise<void> {
    this.again = true
    this.running ??= this.repeat()
    return this.running
  }

  /** Answers whether it is to be done again. */
  protected abstract once(): Promise<boolean>

  private async repeat(): Promise<void> {
    try {
      while (this.again) {
        this.again = false
        if (await this.once()) this.again = true
      }
    } finally {
      // In the turn in which nothing was asked for: who asks a turn later begins anew.
      this.running = undefined
    }
  }
}
