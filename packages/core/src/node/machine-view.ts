import { type Machine, machineOfText } from '../machine/machine'
import type { MachineRecord } from '../machine/record'
import type { Instant } from '../shared/time'

/** Maximum machines of an installation that a node knows. Further machines are ignored. */
export const MAX_MACHINES = 1_000
/** Milliseconds for which a node uses what it read about the other machines. */
export const MACHINES_FRESH_MS = 1_000

interface Report {
  readonly member: string
  readonly at: Instant
}

interface Heard {
  readonly machine: Machine
  /** Time of the machine's last report, by that machine's clock. It is only compared with reports of the same machine. */
  readonly at: Instant
  /** Time, by this node's clock, since which the report has not changed. */
  readonly since: Instant
}

/** Knowledge of this node about the machines of the installation, as the machines last reported it. */
export class MachineView {
  private heard = new Map<string, Heard>()
  private recorded = new Map<string, MachineRecord>()
  private lookedAt = Number.NEGATIVE_INFINITY
  /** Answer of `live`, until the reports change. */
  private liveNow: readonly Machine[] | undefined
  private readonly lostAfterMs: number

  constructor({ nodeLostAfterMs }: { readonly nodeLostAfterMs: number }) {
    this.lostAfterMs = nodeLostAfterMs
  }

  isFresh(now: Instant): boolean {
    return now - this.lookedAt < MACHINES_FRESH_MS
  }

  /** Takes the reports of all machines. After a pause of this node, the time without a report starts again for every machine. */
  note(reports: readonly Report[], now: Instant): void {
    const paused = now - this.lookedAt > this.lostAfterMs / 2
    const next = new Map<string, Heard>()
    for (const { member, at } of reports) {
      const machine = machineOfText(member)
      if (machine === undefined || (next.size >= MAX_MACHINES && !next.has(machine.id))) continue
      const known = next.get(machine.id)
      if (known !== undefined && known.at >= at) continue
      next.set(machine.id, { machine, at, since: this.sinceOf(machine, at, now, paused) })
    }
    this.heard = next
    this.liveNow = undefined
    this.lookedAt = now
  }

  /** Returns the machines that have reported within `nodeLostAfterMs`, ordered by their ids. */
  live(): readonly Machine[] {
    this.liveNow ??= [...this.heard.values()]
      .filter(({ since }) => this.lookedAt - since < this.lostAfterMs)
      .map(({ machine }) => machine)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    return this.liveNow
  }

  /** Takes the records of all machines. */
  noteRecords(records: readonly MachineRecord[]): void {
    this.recorded = new Map(records.map((record) => [record.id, record]))
  }

  /** Takes the record of one machine, which this node read for another purpose. */
  noteRecord(record: MachineRecord): void {
    this.recorded.set(record.id, record)
  }

  /** Returns the record of a machine, as this node last read it; undefined without a record. */
  recordOf(machineId: string): MachineRecord | undefined {
    return this.recorded.get(machineId)
  }

  records(): MachineRecord[] {
    return [...this.recorded.values()]
  }

  /** Counts a server that this node gave to another machine, until that machine reports its capacity again. */
  count(machineId: string, used: Machine['used']): void {
    const known = this.heard.get(machineId)
    if (known === undefined) return
    this.heard.set(machineId, { ...known, machine: { ...known.machine, used } })
    this.liveNow = undefined
  }

  private sinceOf({ id }: Machine, at: Instant, now: Instant, paused: boolean): Instant {
    const before = this.heard.get(id)
    if (before === undefined) return Math.min(at, now)
    return before.at === at && !paused ? before.since : now
  }
}
