import type { ObservedServer } from '@matchyard/core/ports'

/** What starts is looked at often for so long. A server that takes longer, or that will say itself when it is ready, is in no hurry. */
const HURRY_MS = 60_000

/** Which servers are worth another look soon, because players wait for them. */
export class Newcomers {
  private readonly since = new Map<string, { readonly attempt: number; readonly at: number }>()

  /** Of those that were looked at; `now` is of any clock that does not stand still. */
  among(looked: readonly ObservedServer[], now: number): string[] {
    return looked.flatMap(({ instanceId, attempt, state }) => {
      const known = this.since.get(instanceId)
      if (state !== 'starting') {
        if (known?.attempt === attempt) this.since.delete(instanceId)
        return []
      }
      const at = known?.attempt === attempt ? known.at : now
      if (known?.attempt !== attempt) this.since.set(instanceId, { attempt, at })
      return now - at < HURRY_MS ? [instanceId] : []
    })
  }

  /** It is not there any more. */
  forget(instanceId: string): void {
    this.since.delete(instanceId)
  }
}
