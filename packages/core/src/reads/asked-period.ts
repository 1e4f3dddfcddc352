import { validationFailed } from '../errors/service-error'
import type { Instant } from '../shared/time'

/** Last instant that JavaScript dates can represent. */
const LAST_INSTANT = 8.64e15

/** Rejects a period with VALIDATION_FAILED when its ends are no instants, or when it does not begin before its end. */
export function assertPeriod({ from, to }: { readonly from?: Instant | undefined; readonly to?: Instant | undefined }) {
  for (const [path, at] of Object.entries({ from, to })) {
    if (at !== undefined && !(Number.isInteger(at) && at >= 0 && at <= LAST_INSTANT))
      throw validationFailed([{ path, message: 'must be an instant: milliseconds since 1970' }])
  }
  if (from !== undefined && to !== undefined && from >= to)
    throw validationFailed([{ path: 'from', message: 'must be before the end' }])
}
