import { SECOND_MS } from '@matchyard/core/domain'
import type { PortSurroundings } from './port-surroundings'
import { type Life, whenItGoes } from './scheduler'

/** Milliseconds of standing still: longer than any claim or lease, as when a machine is moved or out of memory. */
const STILL_MS = 7 * SECOND_MS

/** Makes a whole node stand still, as under SIGSTOP: no turns, timers or signals. Afterwards it continues as if nothing had happened. */
export async function standStill(life: Life, { clock, scheduler }: PortSurroundings, before: string): Promise<void> {
  const cancel = clock.after(STILL_MS, () => awaken(life))
  life.missed = [cancel]
  await new Promise<void>((resolve) => whenItGoes(life, resolve))
  await scheduler.turn(life, `goes on with ${before}`)
}

/** Lets a node that stands still continue. */
export function awaken(life: Life): void {
  const { missed } = life
  life.missed = undefined
  for (const happen of missed ?? []) whenItGoes(life, happen)
}
