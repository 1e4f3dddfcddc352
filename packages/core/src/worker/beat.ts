import type { Ports } from '../ports/ports'

/** Milliseconds of the pause after a failure, so that a storage that does not work gets few requests. */
const FAILURE_PAUSE_MS = 500

/** Repeated work that runs when it is due, or earlier when `wake` is called. Runs never overlap. */
export class Beat {
  private cancel: (() => void) | undefined
  private dueAt = Number.POSITIVE_INFINITY
  private running: Promise<void> | undefined
  private stopped = false
  /** Last error, and the number of consecutive runs that failed with it; undefined after a success. */
  private outage: { readonly error: string; times: number } | undefined

  constructor(
    private readonly ctx: Pick<Ports, 'timers' | 'clock' | 'logger'>,
    private readonly name: string,
    /** Does the work. Returns the time of the next run. */
    private readonly work: () => Promise<number>,
  ) {}

  /** Whether no run is in progress or scheduled. */
  get isAtRest(): boolean {
    return this.running === undefined && !Number.isFinite(this.dueAt)
  }

  /** Makes the next run start no later than `at`. */
  wake(at: number): void {
    if (this.stopped || at >= this.dueAt) return
    this.dueAt = at
    if (this.running === undefined) this.arm()
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.cancel?.()
    await this.running
  }

  private arm(): void {
    this.cancel?.()
    if (this.stopped || !Number.isFinite(this.dueAt)) return
    this.cancel = this.ctx.timers.after(Math.max(0, this.dueAt - this.ctx.clock.now()), () => {
      this.running = this.run().finally(() => {
        this.running = undefined
        this.arm()
      })
    })
  }

  private async run(): Promise<void> {
    this.dueAt = Number.POSITIVE_INFINITY
    try {
      this.wake(await this.work())
      this.noteSuccess()
    } catch (error) {
      this.noteFailure(String(error))
      this.wake(this.ctx.clock.now() + FAILURE_PAUSE_MS)
    }
  }

  /**
   * Logs an error once when it begins, and again when it changes. Otherwise an orchestrator that cannot be reached for an hour would cause
   * 7,200 log lines.
   */
  private noteFailure(error: string): void {
    if (this.outage?.error !== error) {
      this.outage = { error, times: 0 }
      this.ctx.logger.error(`${this.name} failed; retrying`, { error })
    }
    this.outage.times++
  }

  private noteSuccess(): void {
    const ended = this.outage
    this.outage = undefined
    if (ended !== undefined && ended.times > 1)
      this.ctx.logger.info(`${this.name} works again`, { failed_in_a_row: ended.times })
  }
}
