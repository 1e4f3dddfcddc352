import type { HarmWorld } from './world'

export interface CallFigures {
  readonly answered: number
  /** Calls with a status of 500 or more, and calls without an answer. */
  readonly failed: number
  /** Median time of an answer, in milliseconds. */
  readonly p50: number
}

/** Milliseconds after which a call without an answer has failed. */
const CALL_TIMEOUT_MS = 20_000

/** Creates `each` lobbies per caller; a caller sends its next call as soon as the one before is answered. */
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
      // The caller stops at a missing answer, so that a service that hangs does not delay the benchmark by 20 s for
      // each call.
      if (answer === undefined) return
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, name) => caller(name)))
  client.close()
  took.sort((a, b) => a - b)
  return { answered: took.length, failed, p50: took[Math.floor(took.length / 2)] ?? 0 }
}
