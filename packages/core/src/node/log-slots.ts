import { ServiceError } from '../errors/service-error'
import { Slots } from './slots'

/** Logs of game servers that one node reads at once: each is some 20 MB in memory where its lines are long. */
export const MAX_LOG_READS = 16
/** Log reads of one project. */
export const MAX_LOG_READS_PER_PROJECT = 4

/** The readings of game servers' logs that are under way, by their projects. */
export const logSlots = (): Slots =>
  new Slots({
    most: MAX_LOG_READS,
    mostEach: MAX_LOG_READS_PER_PROJECT,
    full: (why, held) =>
      new ServiceError(
        'UNAVAILABLE',
        `${held} logs of game servers are being read already${why === 'own' ? ' for this project' : ''}; try again shortly`,
      ),
  })
