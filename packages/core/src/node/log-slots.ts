import { ServiceError } from '../errors/service-error'
import { Slots } from './slots'

/** Maximum number of game server logs that one node reads at the same time. Reading a log with long lines takes about 20 MB of memory. */
export const MAX_LOG_READS = 16
/** Maximum number of concurrent log reads of one project. */
export const MAX_LOG_READS_PER_PROJECT = 4

/** Returns the slots for reading logs of game servers. Each project holds a limited number of them. */
export const logSlots = (): Slots =>
  new Slots({
    most: MAX_LOG_READS,
    mostEach: MAX_LOG_READS_PER_PROJECT,
    full: (why, held) =>
      new ServiceError(
        'UNAVAILABLE',
        `already ${held} logs of game servers are being read${why === 'own' ? ' for this project' : ''}; try again shortly`,
      ),
  })
