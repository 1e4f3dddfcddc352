import { validationFailed } from '../errors/service-error'
import { type Place, placeOf } from '../shared/place'

/** Throws VALIDATION_FAILED when the limit of a page is not a whole number within its bounds. */
export function requireLimit(limit: number, { min, max }: { readonly min: number; readonly max: number }): void {
  if (Number.isInteger(limit) && limit >= min && limit <= max) return
  throw validationFailed([{ path: 'limit', message: `must be a whole number from ${min} to ${max}` }])
}

/** Returns the position of a cursor. Throws VALIDATION_FAILED. */
export function requirePlace(cursor: string): Place {
  const place = placeOf(cursor)
  if (place !== undefined) return place
  throw validationFailed([
    { path: 'cursor', message: 'must be the cursor for the next page, as an earlier answer returned it' },
  ])
}
