import { unavailableInsteadOf } from '../../commit/transact'
import { asPlayersSee } from '../../match/as-players-see'
import { isMade } from '../../match/proposal'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { noSuchMatch, requireMatch } from '../../reads/require'
import { type MatchOnServer, withServers } from '../../reads/with-servers'

export interface GetMatchInput extends InProject {
  /** Id of the match: `mat_` and a ULID. */
  readonly matchId: string
  /** Whether the project's own backend makes the call. Default: yes. Players see only matches that were made, not proposed matches. */
  readonly backend?: boolean | undefined
}

export function getMatch(ctx: Ports, input: GetMatchInput): Promise<MatchOnServer> {
  return unavailableInsteadOf(async () => {
    const match = await requireMatch(ctx, input.projectId, input.matchId)
    if (input.backend === false && !isMade(match)) noSuchMatch(match.id)
    const seen = input.backend === false ? asPlayersSee(match) : match
    const [found] = await withServers(ctx, [seen])
    return found ?? { match: seen, server: null }
  })
}
