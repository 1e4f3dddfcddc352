import { computed, signal } from '@preact/signals'

/** Time zone of all absolute times of the console: the zone of the browser, or UTC. */
export type Zone = 'local' | 'utc'

const KEPT = 'matchyard.zone'

/** Time zone that the user chose in this browser. */
export const zone = signal<Zone>(kept())

/** Name of the shown zone for the functions of `Intl`; undefined for the zone of the browser. */
export const zoneId = computed(() => (zone.value === 'utc' ? 'UTC' : undefined))

export function chooseZone(chosen: Zone): void {
  zone.value = chosen
  try {
    localStorage.setItem(KEPT, chosen)
  } catch {}
}

function kept(): Zone {
  try {
    return localStorage.getItem(KEPT) === 'utc' ? 'utc' : 'local'
  } catch {
    return 'local'
  }
}

const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const
const NAMED = { ...DATE, ...TIME, timeZoneName: 'short' } as const

interface Formats {
  readonly clock: Intl.DateTimeFormat
  readonly exact: Intl.DateTimeFormat
  readonly day: Intl.DateTimeFormat
  readonly minute: Intl.DateTimeFormat
  readonly whole: Intl.DateTimeFormat
}

function formatsOf(timeZone: string | undefined): Formats {
  const of = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  return {
    clock: of(TIME),
    exact: of({ ...TIME, fractionalSecondDigits: 3 }),
    day: of({ month: 'short', day: 'numeric' }),
    minute: of({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    whole: of(NAMED),
  }
}

const formats = computed(() => formatsOf(zoneId.value))
const [UTC, LOCAL] = [formatsOf('UTC').whole, formatsOf(undefined).whole]

/** Returns the short name of the shown zone at an instant: `UTC`, `CET`, `GMT+9`. */
export const zoneAt = (at: number | Date): string =>
  formats.value.whole.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** Returns the time of day with seconds; with `isExact` also milliseconds. */
export const clockOf = (at: Date, isExact = false): string =>
  (isExact ? formats.value.exact : formats.value.clock).format(at)

/** Returns the day and the month. */
export const dayOf = (at: number | Date): string => formats.value.day.format(at)

/** Returns the day and the time of day in minutes. */
export const minuteOf = (at: number | Date): string => formats.value.minute.format(at)

/** Returns the day and the time with the name of the shown zone. */
export const wholeOf = (at: number | Date): string => formats.value.whole.format(at)

/** Returns the time in both zones, the shown zone first. */
export function inBothZones(at: number | Date): string {
  const [local, utc] = [LOCAL.format(at), UTC.format(at)]
  if (local === utc) return utc
  return zone.value === 'utc' ? `${utc} (${local})` : `${local} (${utc})`
}
