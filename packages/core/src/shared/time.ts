/** An instant: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A calendar month in UTC as `YYYY-MM`. */
export type Month = string

export const MONTH_PATTERN = /^[0-9]{4}-(0[1-9]|1[0-2])$/

export const monthOf = (at: Instant): Month => new Date(at).toISOString().slice(0, 7)

/** Returns the first instants of a month and of the next month. */
export function monthBounds(month: Month): { start: Instant; end: Instant } {
  const year = Number(month.slice(0, 4))
  const index = Number(month.slice(5, 7)) - 1
  return { start: utcMonthStart(year, index), end: utcMonthStart(year, index + 1) }
}

// Date.UTC reads the years 0 to 99 as 1900 to 1999, so the year is set separately.
function utcMonthStart(year: number, monthIndex: number): Instant {
  const date = new Date(0)
  date.setUTCFullYear(year, monthIndex, 1)
  return date.getTime()
}

export const toIso = (at: Instant): string => new Date(at).toISOString()
