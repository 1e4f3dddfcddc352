import type { Range } from '../catalog/limits'
import type { ValidationIssue } from '../errors/decision'

/**
 * Function that returns the faults of a setting's value. `path` is the path of the setting, and `whole` the object that contains the
 * setting.
 */
export type Judge<Value, Whole> = (value: Value, path: string, whole: Whole) => readonly ValidationIssue[]

/** One check function for each setting of an object. The keys are the names that callers may use. */
export type JudgesOf<Whole> = { readonly [Name in keyof Required<Whole>]: Judge<Whole[Name], Whole> }

/** Returns the faults of all settings of an object, in the order of the check functions. */
export const settingFaults = <Whole extends object>(
  whole: Whole,
  judges: JudgesOf<Whole>,
  prefix = '',
): readonly ValidationIssue[] =>
  (Object.keys(judges) as (keyof Whole & string)[]).flatMap((name) =>
    judges[name](whole[name], `${prefix}${name}`, whole),
  )

/** Check function of a setting that needs no check besides its type. */
export const anything: Judge<unknown, unknown> = () => []

/** Returns a check function for a setting that may be absent. */
export const optional =
  <Value, Whole>(judge: Judge<Value, Whole>): Judge<Value | undefined, Whole> =>
  (value, path, whole) =>
    value === undefined ? [] : judge(value, path, whole)

/** Returns a check function for a setting that may be null or absent. */
export const orNull =
  <Value, Whole>(judge: Judge<Value, Whole>): Judge<Value | null | undefined, Whole> =>
  (value, path, whole) =>
    value === undefined || value === null ? [] : judge(value, path, whole)

/** Returns a check function for a setting whose value is an object with nested settings. */
export const settings =
  <Inner extends object>(judges: JudgesOf<Inner>): Judge<Inner, unknown> =>
  (value, path) =>
    settingFaults(value, judges, `${path}.`)

export const withinRange = ({ min, max }: Range, value: number): boolean => value >= min && value <= max

/** Returns a check function for a whole number within a range. */
export const wholeIn =
  (range: Range): Judge<number, unknown> =>
  (value, path) =>
    Number.isInteger(value) && withinRange(range, value)
      ? []
      : [{ path, message: `must be a whole number from ${range.min} to ${range.max}` }]

/** Returns a check function for a setting whose value must be one of these words. */
export const oneOf =
  (words: readonly string[]): Judge<string, unknown> =>
  (value, path) =>
    words.includes(value) ? [] : [{ path, message: `must be one of ${words.join(', ')}` }]
