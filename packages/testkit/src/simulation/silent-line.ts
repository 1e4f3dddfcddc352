import { SECOND_MS } from '@matchyard/core/domain'
import type { PortSurroundings } from './port-surroundings'
import { type Life, whenItGoes } from './scheduler'

/** Milliseconds for which a simulated connection gives no answers. */
const SILENT_MS = 5 * SECOND_MS
/** Milliseconds after which an adapter gives up a call. A slow call gets its answer before this time is over. */
const DEADLINE_MS = 3 * SECOND_MS

/** Returns a simulated connection to a database that may be slow, or silent without an error. */
export function silentLine(life: Life, { clock, faults, scheduler }: PortSurroundings) {
  const chance = () => scheduler.random.int(2) === 0

  /** Waits `ms` milliseconds and then for a turn (see `Scheduler`). Never resolves when the node's life ends before. */
  const pass = async (ms: number, what: string): Promise<void> => {
    await new Promise<void>((resolve) => void clock.after(ms, () => whenItGoes(life, resolve)))
    await scheduler.turn(life, what)
  }

  return {
    /** Whether the database does not answer now. */
    isSilent(): boolean {
      if (faults.strikes('storage-silent', life.nodeId)) faults.silence(life.nodeId, clock.now() + SILENT_MS)
      return faults.isSilent(life.nodeId, clock.now())
    },
    /**
     * Sends a call while the database gives no answers. The call may or may not take effect, and it ends with a
     * timeout.
     */
    async giveUp(what: string, run: () => Promise<unknown>): Promise<void> {
      if (chance()) await run().catch(() => undefined)
      await pass(DEADLINE_MS, `gives up on ${what}`)
    },
    /** Runs a call that may be slow before or after it takes effect. */
    async slowly<T>(what: string, run: () => Promise<T>): Promise<T> {
      if (!faults.strikes('storage-slow', life.nodeId)) return run()
      const late = chance()
      const ms = 1 + scheduler.random.int(DEADLINE_MS)
      if (!late) await pass(ms, `${what} is slow`)
      const result = await run()
      if (late) await pass(ms, `hears late of ${what}`)
      return result
    },
  }
}
