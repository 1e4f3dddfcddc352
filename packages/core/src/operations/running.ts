import type { Context } from '../context/context'
import type { Directors } from '../director/directors'
import type { ProposalAnswers, QuickJoins } from '../use-cases/lobbies/index'
import type { LobbyFeeds, ProjectFeeds, ServerFeeds } from '../use-cases/streams/index'

/** A service that was put together, as its operations see it. */
export interface Running extends Context {
  readonly feeds: LobbyFeeds
  readonly serverFeeds: ServerFeeds
  readonly projectFeeds: ProjectFeeds
  readonly directors: Directors
  readonly quickJoins: QuickJoins
  readonly answers: ProposalAnswers
}
