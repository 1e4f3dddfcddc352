import type { CallOptions } from '../context/context'
import { refuseUnknown } from '../errors/service-error'
import type { NamesOf } from '../shared/known-names'

/** Every field of an input, of each of its forms. */
export type FieldsOf<T> = { readonly [Name in T extends unknown ? keyof T : never]: true }

/** Those that may be left out. One that is never there, of one form of an input, is none. */
type OptionalOf<T> = T extends object
  ? { [K in keyof T]-?: object extends Pick<T, K> ? ([T[K]] extends [undefined] ? never : K) : never }[keyof T]
  : never

/**
 * What a call is bound with: its fields, where one of them may be left out, and would be by a slip of the pen in silence. Where none may, a
 * misspelled one is missing.
 */
export type KnownFields<Input> = [OptionalOf<Input>] extends [never] ? [] : [fields: FieldsOf<Input>]

const CALL_OPTIONS: NamesOf<CallOptions> = { idempotency: true, onReplay: true, trace: true, from: true }

/** The call, with VALIDATION_FAILED for a field that nobody knows; over HTTP the codec has refused it before. */
export function strictly<A extends unknown[], R>(
  call: (...args: A) => R,
  fields: object | undefined,
): (...args: A) => R {
  const known = fields === undefined ? undefined : Object.keys(fields)
  return (...args) => {
    const [input, options] = args
    try {
      if (known !== undefined && isObject(input)) refuseUnknown(input, known)
      if (isObject(options)) refuseUnknown(options, Object.keys(CALL_OPTIONS))
      return call(...args)
    } catch (error) {
      // Whoever calls asked for a promise, and handles its rejection.
      return Promise.reject(error) as R
    }
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
