import type { Clock } from '@matchyard/core/ports'
import {
  type AnsweredRequest,
  type CallSource,
  type EndedStream,
  networkOf,
  type OpenStream,
  type Party,
} from '@matchyard/http'
import { type Amounts, FadedSums, type Rates } from './faded-sums'

export const KINDS = ['project', 'key', 'address'] as const
export type Kind = (typeof KINDS)[number]

/** Maximum number of rows of one kind of caller (project, key or address). */
const MAX_ROWS = 100

export interface TopFigures {
  readonly calls_per_second: number
  readonly refused_per_second: number
  /** Time of this caller's calls divided by the time of all calls of this process, from 0 to 1. */
  readonly time_share: number
  readonly bytes_in_per_second: number
  readonly bytes_out_per_second: number
}

export interface TopRow {
  /** Id or address of the caller; null for all callers without a valid credential together. */
  readonly name: string | null
  readonly last_10_s: TopFigures
  readonly last_minute: TopFigures
  readonly open_streams: number
  /** Bytes that wait for the readers of this caller's streams. */
  readonly waiting_bytes: number
}

export interface TopNow {
  /**
   * Processor time that this process used since the previous read, divided by the elapsed time. The value may exceed 1.
   */
  readonly cpu: number
  readonly rows: Readonly<Record<Kind, readonly TopRow[]>>
}

type Names = Readonly<Record<Kind, string>>

/** Returns the processor time that the process has used since its start, in milliseconds. */
export type Used = () => number

const usedHere: Used = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/**
 * The busiest callers at the moment: sums of calls, refusals, time and bytes, by project, key and address. Their number
 * is bounded.
 */
export class Top {
  private readonly sums: Readonly<Record<Kind, FadedSums>> = {
    project: new FadedSums(),
    key: new FadedSums(),
    address: new FadedSums(),
  }
  private before: { readonly at: number; readonly used: number }

  constructor(
    private readonly clock: Clock,
    private readonly used: Used = usedHere,
  ) {
    this.before = { at: clock.now(), used: used() }
  }

  answered({ source, durationMs, bytesIn, bytesOut }: AnsweredRequest): void {
    this.add(namesOf(source), [1, 0, durationMs, bytesIn, bytesOut])
  }

  refused(party: Party | undefined): void {
    if (party !== undefined) this.add(namesOfParty(party), [0, 1, 0, 0, 0])
  }

  streamEnded({ source, bytes }: EndedStream): void {
    this.add(namesOf(source), [0, 0, 0, 0, bytes])
  }

  now(streams: Iterable<OpenStream>): TopNow {
    const at = this.clock.now()
    const used = this.used()
    const cpu = (used - this.before.used) / Math.max(1, at - this.before.at)
    this.before = { at, used }
    const open = openBy(streams)
    const rows = (kind: Kind) => rowsOf(this.sums[kind].rates(at), open[kind])
    return { cpu, rows: { project: rows('project'), key: rows('key'), address: rows('address') } }
  }

  private add(names: Names, amounts: Amounts): void {
    const now = this.clock.now()
    for (const kind of KINDS) this.sums[kind].add(names[kind], amounts, now)
  }
}

function namesOf({ address, projectId, keyId, accountId, instanceId }: CallSource): Names {
  const account = accountId === undefined ? '' : `account ${accountId}`
  const server = instanceId === undefined ? account : `server ${instanceId}`
  return { project: projectId ?? account, key: keyId ?? server, address: networkOf(address) }
}

/**
 * Returns the names under which a refused caller is counted. A session has no key, so it is counted under its account.
 */
function namesOfParty({ account, project, key, address }: Party): Names {
  if (project !== '') return { project, key, address }
  const name = account === '' ? '' : `account ${account}`
  return { project: name, key: name, address }
}

interface Open {
  streams: number
  waiting: number
}

function openBy(streams: Iterable<OpenStream>): Record<Kind, Map<string, Open>> {
  const open = { project: new Map(), key: new Map(), address: new Map() } as Record<Kind, Map<string, Open>>
  for (const { source, waitingBytes } of streams) {
    const names = namesOf(source)
    for (const kind of KINDS) {
      const one = open[kind].get(names[kind]) ?? { streams: 0, waiting: 0 }
      one.streams++
      one.waiting += waitingBytes
      open[kind].set(names[kind], one)
    }
  }
  return open
}

const NONE: readonly number[] = [0, 0, 0, 0, 0]

function rowsOf(rates: readonly Rates[], open: ReadonlyMap<string, Open>): TopRow[] {
  const known = new Set(rates.map(({ name }) => name))
  const silent = [...open.keys()].filter((name) => !known.has(name)).map((name) => ({ name, short: NONE, long: NONE }))
  const all = [...rates, ...silent]
  const total = (time: 'short' | 'long') => all.reduce((sum, one) => sum + (one[time][2] ?? 0), 0)
  const [short, long] = [total('short'), total('long')]
  const rows = all.map(
    (one): TopRow => ({
      name: one.name === '' ? null : one.name,
      last_10_s: figuresOf(one.short, short),
      last_minute: figuresOf(one.long, long),
      open_streams: open.get(one.name)?.streams ?? 0,
      waiting_bytes: open.get(one.name)?.waiting ?? 0,
    }),
  )
  return rows.sort((a, b) => weightOf(b) - weightOf(a) || b.open_streams - a.open_streams).slice(0, MAX_ROWS)
}

const weightOf = ({ last_10_s: { calls_per_second, refused_per_second } }: TopRow): number =>
  calls_per_second + refused_per_second

function figuresOf(
  [calls = 0, refused = 0, ms = 0, bytesIn = 0, bytesOut = 0]: readonly number[],
  allMs: number,
): TopFigures {
  return {
    calls_per_second: rounded(calls),
    refused_per_second: rounded(refused),
    time_share: allMs === 0 ? 0 : Math.round((1_000 * ms) / allMs) / 1_000,
    bytes_in_per_second: Math.round(bytesIn),
    bytes_out_per_second: Math.round(bytesOut),
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100
