import { ConfigurationError } from '../config/configuration-error'

const SECONDS_OF = { s: 1, m: 60, h: 3_600 } as const

/** Returns the seconds of a duration such as `90s`, `30m` or `2h`. Throws ConfigurationError for another text. */
export function secondsOf(option: string, text: string): number {
  const [, number, unit] = /^(\d{1,7})([smh])$/.exec(text) ?? []
  if (number === undefined) {
    throw new ConfigurationError(`${option}: ${JSON.stringify(text)} is no duration; give for example 90s, 30m or 2h`)
  }
  return Number(number) * SECONDS_OF[unit as keyof typeof SECONDS_OF]
}
