import type { HarmWorld } from './world'

export interface CallFigures {
  readonly answered: number
  /** Answers that say that the service failed (a status of 500 or more), and calls that got none. */
  readonly failed: number
  /** Milliseconds; half of the answers took no longer. */
  readonly p50: number
}

/** A call that has no answer by then has failed. */
const CALL_TIMEOUT_MS = 20_000

/** Callers who make one lobby after another, each as soon as the one before is answered. */
export async function makeLobbies(world: HarmWorld, callers: number, each: number): Promise<CallFigures> {
  const client = world.client()
  const took: number[] = []
  let failed = 0
  const caller = async (name: number) => {
    for (let i = 0; i < each; i++) {
      const startedAt = performance.now()
      const call = { method: 'POST', path: '/v1/lobbies', player: `p${name}`, body: { queue_id: 'demo' } }
      const late = new Promise<undefined>((resolve) => {
        setTimeout(() => resolve(undefined), CALL_TIMEOUT_MS).unref()
      })
      const answer = await Promise.race([client.call(call).catch(() => undefined), late])
      if (answer === undefined || answer.status >= 500) failed++
      else took.push(performance.now() - startedAt)
      // A service that hangs is not asked a thousand times.
      if (answer === undefined) return
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, name) => caller(name)))
  client.close()
  took.sort((a, b) => a - b)
  return { answered: took.length, failed, p50: took[Math.floor(took.length / 2)] ?? 0 }
}
