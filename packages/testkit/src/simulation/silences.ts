import type { Storage } from '@matchyard/core/ports'

/** Milliseconds for which an ended silence counts: a node may decide by it until then, at a slow storage. */
const KEPT_MS = 60_000

interface Heard {
  /** Time of the last heartbeat, by the only clock of the run. */
  readonly at: number
  /** The longest silence of those that ended lately. */
  readonly longest: number
  readonly endedAt: number
}

/** Silences of nodes: the time without a heartbeat, as the storage shows it. */
export class Silences {
  private readonly heard = new Map<string, Heard>()

  /** Returns the longest silence of each node that lasts or has ended lately; infinite for a node without a heartbeat. */
  async look({ presence }: Storage, nodeIds: Iterable<string>, now: number): Promise<ReadonlyMap<string, number>> {
    const silences = new Map<string, number>()
    for (const nodeId of nodeIds) {
      const beat = (await presence.read(`node:${nodeId}`)).find(({ member }) => member === 'node')?.at
      silences.set(nodeId, this.note(nodeId, beat, now))
    }
    return silences
  }

  private note(nodeId: string, beat: number | undefined, now: number): number {
    const before = this.heard.get(nodeId)
    const isOld = before === undefined || now - before.endedAt > KEPT_MS
    const longest = isOld ? 0 : before.longest
    if (beat === undefined) {
      this.heard.set(nodeId, { at: Number.NEGATIVE_INFINITY, longest: Number.POSITIVE_INFINITY, endedAt: now })
      return Number.POSITIVE_INFINITY
    }
    const silence = beat - (before?.at ?? beat)
    if (before?.at !== beat)
      this.heard.set(
        nodeId,
        silence >= longest
          ? { at: beat, longest: silence, endedAt: now }
          : { ...before, at: beat, longest, endedAt: before?.endedAt ?? now },
      )
    return Math.max(longest, silence, now - beat)
  }
}
