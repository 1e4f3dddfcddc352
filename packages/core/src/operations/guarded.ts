import type { CallOptions } from '../commit/call-options'
import { refuseUnknown } from '../errors/service-error'
import type { NamesOf } from '../shared/known-names'

const CALL_OPTIONS: NamesOf<CallOptions> = { idempotency: true, onReplay: true, trace: true, from: true, actor: true }
const KNOWN_OPTIONS = Object.keys(CALL_OPTIONS)

/**
 * Returns the call with an additional check. It rejects with `VALIDATION_FAILED` when the input or the call options have an unknown field.
 * For calls over HTTP, the parser of the HTTP API has refused such fields before.
 */
export function guarded<A extends unknown[], R>(
  call: (...args: A) => R,
  known: readonly string[] | undefined,
): (...args: A) => R {
  return (...args) => {
    const [input, options] = args
    try {
      if (known !== undefined && isObject(input)) refuseUnknown(input, known)
      if (isObject(options)) refuseUnknown(options, KNOWN_OPTIONS)
      return call(...args)
    } catch (error) {
      // The call returns a promise, so the error becomes its rejection.
      return Promise.reject(error) as R
    }
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
