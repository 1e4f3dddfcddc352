import { z } from 'zod'

/**
 * A refused value of an environment variable. The fault's text is the end of a sentence that begins with the variable's
 * name and a colon.
 */
export class Fault {
  constructor(readonly sentence: string) {}
}

/**
 * Returns the schema of one environment variable. An empty variable counts as unset, because a compose file passes
 * unset variables as empty. An unset variable has the value `otherwise`; if `otherwise` is a Fault, the variable is
 * required.
 */
export const setting = <T, const D>(read: (text: string) => T, otherwise: D) =>
  z
    .string()
    .optional()
    .transform((text, ctx): Exclude<T | D, Fault> => {
      const value = text === undefined || text === '' ? otherwise : read(text)
      if (!(value instanceof Fault)) return value as Exclude<T | D, Fault>
      ctx.addIssue({ code: 'custom', message: value.sentence })
      return z.NEVER
    })

/** Returns the reader of a whole number within bounds, written in digits only. */
export const wholeNumber = (from: number, to: number, unit: string) => (text: string) => {
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= from && value <= to) return value
  return new Fault(`${JSON.stringify(text)} is not a whole number of ${unit} from ${from} to ${to}`)
}

export const oneOf =
  <T extends string>(allowed: readonly T[]) =>
  (text: string): T | Fault =>
    allowed.find((value) => value === text) ??
    new Fault(`${JSON.stringify(text)} is not known; give one of ${allowed.join(', ')}`)

export const anyText = (text: string): string => text
