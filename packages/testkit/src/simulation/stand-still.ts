import { SECOND_MS } from '@matchyard/core/domain'
import type { PortSurroundings } from './port-surroundings'
import { type Life, whenItGoes } from './scheduler'

/** Longer than any claim and any lease, as a machine may be that is moved or out of memory. */
const STILL_MS = 7 * SECOND_MS

/** A whole node stands still, as under SIGSTOP: no turn, no timer, no signal; then it goes on as if nothing had been. */
export async function standStill(life: Life, { clock, scheduler }: PortSurroundings, before: string): Promise<void> {
  const cancel = clock.after(STILL_MS, () => awaken(life))
  life.missed = [cancel]
  await new Promise<void>((resolve) => whenItGoes(life, resolve))
  await scheduler.turn(life, `goes on with ${before}`)
}

/** Whoever stands still goes on. */
export function awaken(life: Life): void {
  const { missed } = life
  life.missed = undefined
  for (const happen of missed ?? []) whenItGoes(life, happen)
}
