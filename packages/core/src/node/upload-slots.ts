import { ServiceError } from '../errors/service-error'
import { Slots } from './slots'

/**
 * Maximum number of upload bodies that one node reads at once. Each upload needs a connection, a file and up to `maxUploadBytes` of disk.
 */
export const MAX_UPLOADS = 64
/** Maximum number of concurrent uploads of one account on one node, so that no account can use up all slots with slow uploads. */
export const MAX_UPLOADS_PER_ACCOUNT = 8

/**
 * Returns the slots for uploads. Each account holds a limited number of them. An upload that finds no free slot is rejected with
 * UNAVAILABLE, and its URL can be used again.
 */
export const uploadSlots = (): Slots =>
  new Slots({
    most: MAX_UPLOADS,
    mostEach: MAX_UPLOADS_PER_ACCOUNT,
    full: (why, held) =>
      tooMany(
        why === 'own' ? `this account already has ${held} uploads in progress` : 'too many uploads are in progress',
      ),
  })

const tooMany = (why: string) => new ServiceError('UNAVAILABLE', `${why}; send this upload again later`)
