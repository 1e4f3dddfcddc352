import { unavailableInsteadOf } from '../../commit/transact'
import { asPlayersSee } from '../../match/as-players-see'
import { isMade } from '../../match/proposal'
import type { Service } from '../../node/service'
import { type FoundPlayer, playerRecord } from './find-player'
import type { OfPlayer } from './player-now'

/**
 * Returns the data of the calling player, as players see them: without proposed matches, and with only the last exit of each present lobby
 * in place of the exits of the last hour.
 */
export function findSelf(ctx: Service, input: OfPlayer): Promise<FoundPlayer> {
  return unavailableInsteadOf(async () => {
    const found = await playerRecord(ctx, input, { forPlayer: true })
    return {
      ...found,
      matches: found.matches.flatMap(({ match, server }) =>
        isMade(match) ? [{ match: asPlayersSee(match), server }] : [],
      ),
    }
  })
}
