import { ServiceError } from '../errors/service-error'
import { Slots } from './slots'

/** Bodies that one node reads at once: each holds a connection, a file and up to `maxUploadBytes` of disk. */
export const MAX_UPLOADS = 64
/** Uploads of one account, so that no account fills the node with slow uploads. */
export const MAX_UPLOADS_PER_ACCOUNT = 8

/** The uploads that this node reads at present, by their accounts. Past a bound it is UNAVAILABLE, and the URL stays as it was. */
export const uploadSlots = (): Slots =>
  new Slots({
    most: MAX_UPLOADS,
    mostEach: MAX_UPLOADS_PER_ACCOUNT,
    full: (why, held) =>
      tooMany(why === 'own' ? `${held} uploads of this account are under way` : 'too many uploads are under way'),
  })

const tooMany = (why: string) => new ServiceError('UNAVAILABLE', `${why}; send this one again in a while`)
