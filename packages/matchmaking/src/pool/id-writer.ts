import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchedIds, Proposal } from '../types'
import type { MatchWriter } from './match-writer'

/** Writes the result of a tick as the ids of the matched tickets only, without teams and roles. */
export class IdWriter implements MatchWriter<MatchedIds> {
  private ids: string[] = []
  private starts: number[] = [0]
  private matches = 0
  private length = 0

  constructor(private readonly columns: TicketColumns) {}

  start(): void {
    this.ids = []
    this.starts = [0]
    this.matches = 0
    this.length = 0
  }

  finish(): MatchedIds {
    const { ids, starts } = this
    this.start()
    return { ids, starts }
  }

  singles(slots: Int32Array, size: 1 | 2, from: number, to: number): void {
    if (this.matches === 0) {
      // The whole array is allocated at once: growing it step by step would copy a million ids many times.
      this.ids = new Array(slots.length)
      this.starts = new Array(slots.length / size + 1)
      this.starts[0] = 0
    }
    const { ids, starts } = this
    const names = this.columns.ids
    let { length, matches } = this
    for (let at = from; at < to; at++) ids[length++] = names[slots[at] as number] as string
    for (let end = this.length + size; end <= length; end += size) starts[++matches] = end
    this.length = length
    this.matches = matches
  }

  groups(matches: readonly (readonly number[])[], from: number, to: number): void {
    for (let at = from; at < to; at++) {
      for (const slot of matches[at] as readonly number[]) this.ids.push(this.columns.ids[slot] as string)
      this.starts.push(this.ids.length)
    }
  }

  fills(fills: readonly Proposal[]): void {
    for (const { ticketIds } of fills) {
      this.ids.push(...ticketIds)
      this.starts.push(this.ids.length)
    }
  }
}
